/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds the waits of a scan: each member waits for the members of lower rank.
 */
#include "analysis/graph/graph.h"

#include "base/base.h"

/* So many of the late are connected with a node directly, those before them through the node of the last of those. */
enum { DIRECTLY = 64 };
/* In a larger communicator the late are not looked for. */
enum { MOST_LISTED = 1 << 20 };

/* For those that wait for one late member more. */
static void add_node(struct waits *waits, const struct communicator *communicator, struct known_round *known)
{
    const size_t number = known->late_node_count;
    const struct wait_subject subject = {
        .kind = SUBJECT_COLLECTIVE, .communicator = communicator, .serial = known->round.serial, .is_of_some = true};
    const uint32_t node = waits_add(waits, WAITS_FOR_ALL, subject);
    const size_t first = number - number % DIRECTLY;
    known->late_nodes = arena_append(known->late_nodes, &known->late_node_count, sizeof *known->late_nodes);
    known->late_nodes[number] = node;
    waits_add_to_round(waits, node, known);
    if (first > 0)
        wait_graph_connect(&waits->graph, node, known->late_nodes[first - 1]);
    for (size_t i = first; i <= number; i++)
        waits_connect_rank(waits, node, group_world_rank(communicator->group, known->late[i]));
}

static void find_late(struct waits *waits, const struct communicator *communicator, struct known_round *known)
{
    known->late_is_known = true;
    for (int32_t i = 0; i < communicator->size; i++) {
        if (waits_has_rank_begun(waits, communicator, i, known->round.serial))
            continue;
        known->late = arena_append(known->late, &known->late_count, sizeof *known->late);
        known->late[known->late_count - 1] = i;
    }
}

static size_t count_below(const struct known_round *known, int32_t rank)
{
    size_t first = 0, end = known->late_count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (known->late[middle] < rank)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

bool waits_for_lower_ranks(struct waits *waits, uint32_t node, const struct job_member *self, uint64_t serial)
{
    if (self->communicator->group == NULL || self->communicator->size > MOST_LISTED) {
        wait_graph_connect(&waits->graph, node, waits->anything);
        return true;
    }
    struct known_round *known = known_round_find(waits->rounds, &waits->index, self, serial);
    if (!known->late_is_known)
        find_late(waits, self->communicator, known);
    const size_t late = count_below(known, self->communicator->rank);
    while (known->late_node_count < late)
        add_node(waits, self->communicator, known);
    if (late == 0)
        return false;
    wait_graph_connect(&waits->graph, node, known->late_nodes[late - 1]);
    return true;
}
