/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of the ranks that stand still in a call differ from the others, and what the kernel and their stacks tell of
 * each.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALL_SUSPECTS_H
#define MPILENS_INSPECT_ANALYSIS_STALL_SUSPECTS_H

#include "analysis/finding.h"
#include "analysis/stalled_ranks.h"

/* Adds the ranks that differ to `suspects`, which is empty, and says in what: "is stopped by a signal", "waits for a
 * connection with 10.0.0.3:41234", "sleeps in poll, unlike the others". The caller frees it; NULL: none does. */
char *stall_find_suspects(const struct waits *waits, const struct stalled_ranks *stalled, struct ranks *suspects);

/* What each rank that takes part does inside MPI: runs or sleeps, its sockets, what keeps it; those that differ first.
 */
void stall_add_evidence(const struct waits *waits, const struct stalled_ranks *stalled, const struct ranks *suspects,
                        struct finding *finding);

#endif
