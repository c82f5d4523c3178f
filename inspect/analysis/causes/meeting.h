/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls that some members have not reached, as nodes of the wait-for graph.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_MEETING_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_MEETING_H

#include "analysis/causes/cause.h"
#include "analysis/graph/known_rounds.h"

const struct known_round *meeting_find_round(const struct waits *waits, const struct wait_subject *meeting,
                                             uint64_t serial);
/* Who has begun a call in which not all wait for all may have ended it, and is no part of what others wait for there.
 */
bool meeting_has_member(const struct job_member *member, const struct wait_subject *meeting);
/* Whether what is waited for are the members that have not come to a fence of a window. */
bool meeting_is_fence(const struct waits *waits, const struct wait_subject *subject);
/* Whether the member, which is at its end, has no longer the communicator of the call: it has freed it, and waits for
 * nobody there. */
bool meeting_is_over_for(const struct communicator *communicator, const struct process *member);
/* Whether the process alone has come to the call, where the others have made the one before and went on to exchange
 * messages, and it has neither sent nor received anything since that. */
bool meeting_is_repeated_by(const struct waits *waits, const struct wait_subject *meeting,
                            const struct process *process);
/* What the process remembers of the communicator, window or file of the call, which it has freed; NULL: it has not, or
 * does not remember. */
const struct freed_object *meeting_find_freed(const struct wait_subject *meeting, const struct process *process);
/* Adds the members that are in the collective call. */
void meeting_add_arrived(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause);
/* Adds those processes that the node waits for, directly or because all must come to a call, as culprits; and who has
 * come to that call. */
void meeting_add_awaited(const struct waits *waits, uint32_t node, struct cause *cause);
/* Whom those wait for that wait in the call that members have not come to has been told. */
void meeting_tell(const struct waits *waits, const struct cause *cause, bool *is_told);

#endif
