/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nodes of the same collective call.
 */
#include "analysis/graph/graph.h"

#include "model/model.h"

void waits_add_to_round(struct waits *waits, uint32_t node, struct known_round *known)
{
    waits->subjects[node].other_of_round = known->last_node;
    known->last_node = node;
}

bool waits_has_rank_begun(const struct waits *waits, const struct communicator *communicator, int32_t local,
                          uint64_t serial)
{
    const struct process *process = job_index_process(&waits->index, group_world_rank(communicator->group, local));
    const struct communicator *theirs = process != NULL ? find_communicator(process, communicator->id) : NULL;
    return theirs != NULL && theirs->collective_calls >= serial;
}
