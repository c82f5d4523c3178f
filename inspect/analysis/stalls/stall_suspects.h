/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of the ranks that stand still in a call differ from the others, and what the kernel and their stacks tell of
 * each.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_STALL_SUSPECTS_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_STALL_SUSPECTS_H

#include "analysis/findings/finding.h"
#include "analysis/stalls/stalled_ranks.h"

/* Ranks to look at first. Zero-initialised is none. */
struct stall_suspects {
    struct ranks ranks;
    char *said;     /* of the first of them: "is stopped by a signal", "has a socket in SYN_SENT with 10.0.0.3:41234",
                     * "sleeps in poll, while the others spin"; NULL: there is none */
    bool are_alike; /* it is the same of all */
};

/* Those that something keeps from running, whose connections are broken or stand still, or that do something else than
 * the others. The caller clears them. */
struct stall_suspects stall_find_suspects(const struct waits *waits, const struct stalled_ranks *stalled);
void stall_suspects_clear(struct stall_suspects *suspects);

/* What each rank that takes part does inside MPI: runs or sleeps, its sockets, what keeps it; those that differ first.
 */
void stall_add_evidence(const struct waits *waits, const struct stalled_ranks *stalled,
                        const struct stall_suspects *suspects, struct finding *finding);

#endif
