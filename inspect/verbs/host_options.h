/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options that say how the other hosts of a job are reached.
 */
#ifndef MPILENS_INSPECT_VERBS_HOST_OPTIONS_H
#define MPILENS_INSPECT_VERBS_HOST_OPTIONS_H

#include "base/reason.h"
#include "gather/host_reach.h"

#include <argp.h>

struct host_options {
    bool here;
    const char *list;   /* of --hosts, into the arguments; NULL: none */
    const char *engine; /* of --engine, likewise, or of the environment */
    double timeout_s;
    bool ship;
};

struct host_options default_host_options(void);

/* A parser for the children of another one, which gives it a struct host_options as its input. */
extern const struct argp host_option_parser;

/* What they mean; texts stay in the arguments. 0, or -1 and a reason: there is no such engine. */
int host_options_reach(const struct host_options *options, struct host_reach *ret_reach, struct reason *ret_reason);

#endif
