/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the other hosts of a job are reached, as the user has said.
 */
#ifndef MPILENS_INSPECT_GATHER_HOST_REACH_H
#define MPILENS_INSPECT_GATHER_HOST_REACH_H

#include "engine/engine.h"

#include <stdbool.h>

struct host_reach {
    bool here;                   /* they are left alone */
    const char *hosts;           /* a list of hosts; NULL: the job's */
    const struct engine *engine; /* NULL: which suits */
    const char *engine_words;    /* of engine_of_words */
    double timeout_s;            /* hosts that have not answered by then are given up */
    bool ship;                   /* mpilens is sent to those that do not have it */
};

#endif
