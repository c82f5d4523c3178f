/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: reads one process.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_H
#define MPILENS_INSPECT_COLLECT_COLLECT_H

#include "base/reason.h"
#include "collect/collection.h"

enum collect_depth {
    COLLECT_PROCESS, /* what the process is, without a look at what it has */
    COLLECT_SAMPLE,  /* threads, communicators and operations too */
    COLLECT_ALL,     /* and the places of all of them in the source */
};

/* What to read of a process. */
struct collect_plan {
    enum collect_depth depth;
    /* Reads more of the copy that the rest was read from; NULL: nothing. `process` has the rest. */
    void (*more)(const struct collection *collection, const struct process *process, void *context);
    void *context;
    struct tick_moment *moment; /* at which ages are taken; NULL: when the process is read */
    bool is_recorded;           /* what the targets answer is kept in them, see target_record() */
};

/* Fills `process` from `target` (which stays the caller's); names and groups go into those of `job`. Returns 0, or -1
 * and a reason; then `process` is as it was, but that it may lack tables, or be before MPI. */
int collect_process(const struct dll *dll, struct target *target, const struct collect_plan *plan, struct job *job,
                    struct process *process, struct reason *ret_reason);

#endif
