/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One process that the DLL is set up for, while it is read. For collect*.c and handle_collect*.c only.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECTION_H
#define MPILENS_INSPECT_COLLECT_COLLECTION_H

#include "collect/dll.h"
#include "model/model.h"
#include "target/tick_clock.h"

struct collection {
    const struct dll *dll;
    mqs_process *handle;
    struct target *target;
    struct tick_clock clock;
    struct text_pool *names;
    struct group_pool *groups;
    struct operation_details_pool *details;
};

/* What the reading of a list that ended with `code` returns: mqs_ok where there was no more, or nothing, to read. */
int collection_end(int code);

#endif
