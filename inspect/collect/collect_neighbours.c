/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The partners of a process in neighborhood collectives, by the topology of a communicator (MPI 4.0, 8.6).
 */
#include "collect/collect_internal.h"

#include "base/base.h"

#include <stdlib.h>

/* Larger topologies are treated as not known. */
enum { MOST_VALUES = 1 << 20 };

static void add(struct neighbours *neighbours, int rank)
{
    neighbours->ranks = array_append(neighbours->ranks, &neighbours->count, sizeof *neighbours->ranks);
    neighbours->ranks[neighbours->count - 1] = rank;
}

static void add_local(struct neighbours *neighbours, const struct group *members, int64_t local)
{
    add(neighbours, local >= 0 && local < members->size ? group_world_rank(members, (int32_t)local) : -1);
}

static void add_all(struct neighbours *neighbours, const struct group *members, const int32_t *locals, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        add_local(neighbours, members, locals[i]);
}

/* Ranks of the members that differ in the dimensions behind this one; -1: not representable. */
static int64_t find_stride(const int32_t *sizes, int32_t dimensions, int32_t dimension)
{
    int64_t stride = 1;
    for (int32_t i = dimensions - 1; i > dimension && stride > 0 && stride <= INT32_MAX; i--)
        stride *= sizes[i];
    return stride > 0 && stride <= INT32_MAX ? stride : -1;
}

/* The one below and the one above, in one dimension after the other. */
static void add_cartesian(struct neighbours *neighbours, const struct communicator *communicator, const int32_t *values,
                          int32_t dimensions)
{
    const int32_t *sizes = values, *periods = values + dimensions, *coordinates = values + 2 * (int64_t)dimensions;
    for (int32_t i = 0; i < dimensions; i++) {
        const int32_t size = sizes[i], at = coordinates[i];
        const int64_t stride = find_stride(sizes, dimensions, i);
        for (int step = -1; step <= 1; step += 2) {
            const int64_t to = (int64_t)at + step;
            if (size <= 0 || stride < 0)
                add(neighbours, -1);
            else if (periods[i] != 0 || (to >= 0 && to < size))
                add_local(neighbours, communicator->group, communicator->rank + ((to + size) % size - at) * stride);
            else
                add(neighbours, NO_NEIGHBOUR);
        }
    }
}

static const struct group *make_group(const struct collection *collection, const struct neighbours *neighbours)
{
    struct neighbours there = {.count = 0};
    for (size_t i = 0; i < neighbours->count; i++)
        if (neighbours->ranks[i] != NO_NEIGHBOUR)
            add(&there, neighbours->ranks[i]);
    const struct group *group = group_pool_add_ranks(collection->groups, there.ranks, there.count);
    free(there.ranks);
    return group;
}

/* Adds the neighbours of a topology whose sources are its destinations. */
static void add_both(struct neighbours *neighbours, const struct communicator *communicator,
                     const struct mpilens_topology_information *topology, const int32_t *values)
{
    const int64_t first = topology->first_count;
    const int32_t rank = communicator->rank;
    if (topology->kind == MPILENS_TOPOLOGY_CARTESIAN) {
        add_cartesian(neighbours, communicator, values, topology->first_count);
        return;
    }
    const int64_t begin = rank > 0 ? values[rank - 1] : 0, end = values[rank];
    add_all(neighbours, communicator->group, values + first + begin, end - begin);
}

/* Whether the values are as many as the topology needs, and make sense. */
static bool are_whole(const struct communicator *communicator, const struct mpilens_topology_information *topology,
                      const int32_t *values, size_t count)
{
    const int64_t first = topology->first_count, second = topology->second_count;
    const int32_t rank = communicator->rank;
    if (first < 0 || second < 0)
        return false;
    if (topology->kind == MPILENS_TOPOLOGY_CARTESIAN)
        return 3 * first <= (int64_t)count;
    if (first + second > (int64_t)count)
        return false;
    if (topology->kind == MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH)
        return true;
    if (topology->kind != MPILENS_TOPOLOGY_GRAPH || rank < 0 || rank >= first)
        return false;
    const int64_t begin = rank > 0 ? values[rank - 1] : 0, end = values[rank];
    return begin >= 0 && end >= begin && end <= second;
}

static void take(const struct collection *collection, struct communicator *communicator,
                 const struct mpilens_topology_information *topology, const int32_t *values,
                 struct neighbours *ret_sources, struct neighbours *ret_destinations)
{
    if (topology->kind == MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH) {
        add_all(ret_sources, communicator->group, values, topology->first_count);
        add_all(ret_destinations, communicator->group, values + topology->first_count, topology->second_count);
    } else {
        add_both(ret_sources, communicator, topology, values);
        add_both(ret_destinations, communicator, topology, values);
    }
    communicator->sources = make_group(collection, ret_sources);
    communicator->destinations = make_group(collection, ret_destinations);
}

void collect_neighbours(const struct collection *collection, struct communicator *communicator,
                        struct neighbours *ret_sources, struct neighbours *ret_destinations)
{
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    if (communicator->group == NULL || collection->dll->mpilens_get_topology(collection->handle, &topology) != mqs_ok ||
        topology.kind == MPILENS_TOPOLOGY_NONE || topology.value_count > MOST_VALUES)
        return;
    size_t count = 0;
    int32_t *values = allocate(((size_t)topology.value_count + 1) * sizeof *values);
    if (collection->dll->mpilens_get_topology_values(collection->handle, values, topology.value_count, &count) ==
            mqs_ok &&
        count == topology.value_count && count > 0 && are_whole(communicator, &topology, values, count))
        take(collection, communicator, &topology, values, ret_sources, ret_destinations);
    free(values);
}
