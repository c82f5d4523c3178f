/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that others wait for and that can still act.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_AWAITED_RANKS_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_AWAITED_RANKS_H

#include "analysis/graph/waits.h"

/* How a rank comes to be able to act. */
enum liveness {
    LIVES_NOT,
    LIVES_UNREAD,  /* what it does is not known, which is no finding */
    LIVES_IN_MPI,  /* a thread goes from call to call */
    LIVES_BESIDE,  /* threads are blocked in MPI, and others are not in MPI */
    LIVES_OUTSIDE, /* it is not in MPI */
};

/* Ranks that can act in the same way, and for which the same ranks wait. */
struct awaited_ranks {
    const struct process **processes; /* one or more, by rank; none: ranks of another MPI_COMM_WORLD */
    size_t count;
    enum liveness liveness;
    bool is_stopped;    /* by a signal or debugger */
    bool is_away;       /* they have not called MPI for longer than the patience, or it is not known when they did */
    bool only_accesses; /* all of them, and for longer than the patience: nothing but calls that access windows */
    struct ranks waiters;
    const struct thread *waiting; /* of the first of them */
    double age_s;                 /* of the longest wait */
};

struct awaited_list {
    struct awaited_ranks *items; /* by the first rank of each */
    size_t count;
};

/* The caller clears it. */
struct awaited_list awaited_ranks_find(const struct waits *waits, const struct wait_waiters *waiters);
void awaited_list_clear(struct awaited_list *list);
/* The same of the ranks of another MPI_COMM_WORLD; the caller clears its waiters. */
struct awaited_ranks awaited_strangers_find(const struct waits *waits, const struct wait_waiters *waiters);

#endif
