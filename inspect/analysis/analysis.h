/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a job that was read to what is wrong with it: which ranks can never go on, and because of what.
 *
 * Threads that have stayed in one MPI call as long as the job was watched (struct thread.stalled) are taken for
 * blocked; all others, and processes that could not be read, may do anything. Of every blocked thread it is known what
 * must come true before its call returns, as a condition on other processes (and/or); who cannot be released however
 * the others go on is dead (wait_graph.h). The innermost groups of the dead that wait for each other, or for what will
 * never come, are the causes; all others are consequences.
 *
 * A pure function of the model, in O(n log n) of its operations.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_ANALYSIS_H
#define MPILENS_INSPECT_ANALYSIS_ANALYSIS_H

#include "analysis/findings/finding.h"
#include "analysis/graph/wait_graph.h"
#include "model/model.h"

/* Defaults: 60 s, 10000 messages. */
struct analysis_options analysis_default_options(void);

/* One blocked thread. */
struct rank_wait {
    const struct process *process;
    const struct thread *thread;
    bool dead;                   /* it can never go on */
    bool is_cause;               /* dead, and part of a cause, not only a consequence */
    enum wait_mode mode;         /* WAITS_FOR_ALL or WAITS_FOR_ANY of `targets`, WAITS_IN_VAIN, WAITS_FOR_NOTHING:
                                    not known what it waits for, or it will be released */
    const struct ranks *targets; /* whom it waits for, shared by those that wait for the same; NULL: nobody of this
                                    job, or not known */
};

struct analysis {
    struct findings findings;
    size_t left_out;         /* findings that are not about the ranks to be shown */
    struct rank_wait *waits; /* by rank, then in the order of threads */
    size_t wait_count;
    struct ranks **lists; /* of the waits */
    size_t list_count;
    char *remark; /* one sentence for when nothing was found: who waits for whom. NULL: nobody waits */
};

void analyze(const struct job *job, const struct analysis_options *options, struct analysis *ret_analysis);
void analysis_clear(struct analysis *analysis);

#endif
