/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds the waits of neighborhood collectives: each member waits for its sources in the topology.
 */
#include "analysis/graph/graph.h"

static bool has_begun(const struct job_members *members, int32_t rank, uint64_t serial)
{
    const struct job_member *member = job_members_find(members, rank);
    return member != NULL && collective_round_has_begun(member, serial);
}

/* Connects with the neighbours that have not come to the call. Returns how many those are. */
static size_t connect_late(struct waits *waits, uint32_t node, const struct job_members *members,
                           const struct group *neighbours, uint64_t serial)
{
    size_t late = 0;
    for (int32_t i = 0; i < neighbours->size; i++) {
        const int32_t rank = group_world_rank(neighbours, i);
        if (has_begun(members, rank, serial))
            continue;
        waits_connect_rank(waits, node, rank);
        late++;
    }
    return late;
}

int32_t waits_find_silent_source(const struct waits *waits, const struct job_member *member)
{
    const struct job_members members = job_index_members(&waits->index, member->communicator->id);
    const struct group *sources = member->communicator->sources;
    for (int32_t i = 0; sources != NULL && i < sources->size; i++) {
        const struct job_member *source = job_members_find(&members, group_world_rank(sources, i));
        const struct group *destinations = source != NULL ? source->communicator->destinations : NULL;
        if (destinations != NULL && group_local_rank(destinations, member->process->rank) < 0)
            return source->process->rank;
    }
    return -1;
}

/* It needs what all sources send; whether it waits until destinations are there is up to MPI. */
static void connect_exchange(struct waits *waits, uint32_t node, const struct job_member *self, uint64_t serial)
{
    const struct communicator *communicator = self->communicator;
    const struct job_members members = job_index_members(&waits->index, communicator->id);
    if (connect_late(waits, node, &members, communicator->sources, serial) > 0)
        return;
    if (waits_find_silent_source(waits, self) >= 0) {
        waits->graph.nodes[node].mode = WAITS_IN_VAIN;
        return;
    }
    waits->graph.nodes[node].mode = WAITS_FOR_ANY;
    if (connect_late(waits, node, &members, communicator->destinations, serial) == 0)
        wait_graph_connect(&waits->graph, node, waits->anything);
}

uint32_t waits_add_exchange(struct waits *waits, const struct job_member *self, uint64_t serial)
{
    struct known_round *known = known_round_find(waits->rounds, &waits->index, self, serial);
    if (self->communicator->sources == NULL || self->communicator->destinations == NULL ||
        known->round.difference != ROUND_ALIKE)
        return NO_NODE;
    const uint32_t node = waits_add(waits, WAITS_FOR_ALL,
                                    (struct wait_subject){.kind = SUBJECT_COLLECTIVE,
                                                          .process = (uint32_t)(self->process - waits->job->processes),
                                                          .communicator = self->communicator,
                                                          .serial = serial,
                                                          .is_exchange = true});
    waits_add_to_round(waits, node, known);
    connect_exchange(waits, node, self, serial);
    return node;
}
