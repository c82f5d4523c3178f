/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies short arrays of counts, so that a black box tells them when the process is gone, and its memory with it.
 */
#include "objects/objects.h"

#include "memory/memory.h"

static size_t bytes_for(size_t room)
{
    return room * RECENT_COLLECTIVES * COPIED_ARRAYS * COPIED_BYTES;
}

/* Two blocks, which may overlap, copy an array of this many bytes. */
static bool is_few(size_t bytes)
{
    return bytes >= COPY_BLOCK && bytes <= 2 * (size_t)COPY_BLOCK;
}

bool count_copies_make_room(struct mpilens_communicator *record, size_t length)
{
    const size_t most = MPILENS_MOST_COPIED_COUNTS;
    if (record->copied_counts != 0)
        return false;
    const int32_t members = record->remote_size > record->size ? record->remote_size : record->size;
    const size_t peers = members > 0 ? (size_t)members : 0;
    const size_t room = peers < LEAST_ROOM ? LEAST_ROOM : peers < most ? peers : most;
    record->count_copies = (uint64_t)(uintptr_t)block_take(bytes_for(room));
    record->copied_counts = record->count_copies != 0 ? room : 0;
    if (record->copied_counts == LEAST_ROOM && record->remote_size == 0 && is_few(peers * sizeof(int32_t)))
        record->few_bytes = peers * sizeof(int32_t);
    return length <= record->copied_counts;
}

struct count_lengths count_lengths_between_neighbours(const struct mpilens_communicator *record)
{
    const struct mpilens_topology *topology = record->topology;
    const int32_t *values = (const int32_t *)(uintptr_t)topology->values;
    size_t edges = 0;
    switch (topology->kind) {
    case MPILENS_TOPOLOGY_NONE:
        edges = SIZE_MAX;
        break;
    case MPILENS_TOPOLOGY_CARTESIAN:
        edges = 2 * (size_t)topology->first_count;
        break;
    case MPILENS_TOPOLOGY_GRAPH: /* the ends of each node's edges come first */
        if (topology->value_count == 0)
            edges = SIZE_MAX;
        else if (record->rank >= 0 && record->rank < topology->first_count)
            edges = (size_t)(values[record->rank] - (record->rank > 0 ? values[record->rank - 1] : 0));
        break;
    case MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH:
        return (struct count_lengths){.received = (size_t)topology->first_count,
                                      .sent = (size_t)topology->second_count};
    }
    return (struct count_lengths){edges, edges};
}

void count_copies_give_back(struct mpilens_communicator *record)
{
    block_give_back((void *)(uintptr_t)record->count_copies, bytes_for(record->copied_counts));
    record->count_copies = 0;
    record->copied_counts = 0;
    record->few_bytes = 0;
}
