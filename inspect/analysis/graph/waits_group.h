/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Comm_create_group, which only the members of a group call: with the same group and tag on the same communicator
 * (MPI 4.1, section 7.4.2).
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_GROUP_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_GROUP_H

#include "analysis/graph/waits.h"

/* Connects the node of the thread with the members of its group that are in no such call. Where one is in such a call
 * with another group or tag, nothing can come. False: it is another call, or one that waits for nobody. */
bool waits_for_group(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread);

/* The call of the process on the communicator of `thread`; NULL: it is in none. */
const struct thread *group_call_of(const struct process *process, const struct thread *thread);
/* The call that the node stands for; NULL: it stands for something else. */
const struct thread *group_call_at(const struct wait_subject *subject);
/* Whether both belong together. */
bool group_calls_meet(const struct thread *left, const struct thread *right);

#endif
