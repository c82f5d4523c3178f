/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of a communicator whose collective calls went out of step with those of the others, which need not hang at
 * once: one call more or less fits the next ones, until one does not. Told from the last calls and from the marks that
 * the runtime keeps of earlier ones.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_OUT_OF_STEP_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_OUT_OF_STEP_H

#include "analysis/calls/job_index.h"
#include "base/ranks.h"

/* What one member has made as its n-th collective call. */
struct made_call {
    const char *function;
    const char *small_count; /* as of struct collective_call */
    const struct site *site;
};

struct out_of_step {
    const struct job_member *member; /* NULL: all keep step, as far as is known */
    uint64_t last_alike;             /* n-th call, the last known one that was as the others'; 0: none is known */
    uint64_t since;                  /* the first known one that was not */
    struct made_call own, usual;     /* that call, and what most others made as theirs */
    size_t others;                   /* that keep step */
    bool is_sure;                    /* also where nothing hangs: chance does not bring it about */
};

/* The one member that most others differ from, the `first` ranks looked at first: of large communicators not all are.
 * A call from another place than the others' is in step as long as the same two places always go together, as where a
 * root has a place of its own. */
struct out_of_step out_of_step_find(const struct job_index *index, const struct communicator *communicator,
                                    const struct ranks *first);

#endif
