/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whom a process exchanges with in neighborhood collectives, by the topology of a communicator (MPI 4.0, 8.6).
 */
#include "collect/collect_neighbours.h"

#include "base/allocation.h"

#include <stdlib.h>

/* Values of a topology that are read; those of larger ones are not known. */
enum { MOST_VALUES = 1 << 20 };

/* Ranks, those of MPI_COMM_WORLD. */
struct neighbours {
    const struct group *members; /* of the communicator */
    int *ranks;
    size_t count;
};

static void add(struct neighbours *neighbours, int64_t local)
{
    neighbours->ranks = array_append(neighbours->ranks, &neighbours->count, sizeof *neighbours->ranks);
    neighbours->ranks[neighbours->count - 1] =
        local >= 0 && local < neighbours->members->size ? group_world_rank(neighbours->members, (int32_t)local) : -1;
}

static void add_all(struct neighbours *neighbours, const int32_t *locals, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        add(neighbours, locals[i]);
}

/* Both in every dimension, but for those beyond an end. */
static void add_cartesian(struct neighbours *neighbours, const int32_t *values, int32_t dimensions, int32_t rank)
{
    const int32_t *sizes = values, *periods = values + dimensions, *coordinates = values + 2 * (int64_t)dimensions;
    int64_t stride = 1;
    for (int32_t i = dimensions - 1; i >= 0; i--) {
        const int32_t size = sizes[i], at = coordinates[i];
        for (int step = -1; step <= 1 && size > 0; step += 2) {
            const int64_t to = (int64_t)at + step;
            if (periods[i] != 0 || (to >= 0 && to < size))
                add(neighbours, rank + ((to + size) % size - at) * stride);
        }
        stride *= size;
        if (stride <= 0 || stride > INT32_MAX)
            return;
    }
}

static const struct group *make_group(const struct collection *collection, struct neighbours *neighbours)
{
    const struct group *group = group_pool_add_ranks(collection->groups, neighbours->ranks, neighbours->count);
    free(neighbours->ranks);
    return group;
}

static bool is_whole(const struct mpilens_topology_information *topology, int64_t wanted, size_t count)
{
    return topology->first_count >= 0 && topology->second_count >= 0 && wanted <= (int64_t)count;
}

static void take(const struct collection *collection, struct communicator *communicator,
                 const struct mpilens_topology_information *topology, const int32_t *values, size_t count)
{
    const int64_t first = topology->first_count, second = topology->second_count;
    struct neighbours sources = {.members = communicator->group}, destinations = sources;
    if (topology->kind == MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH && is_whole(topology, first + second, count)) {
        add_all(&sources, values, first);
        add_all(&destinations, values + first, second);
        communicator->sources = make_group(collection, &sources);
        communicator->destinations = make_group(collection, &destinations);
        return;
    }
    const int32_t rank = communicator->rank;
    if (topology->kind == MPILENS_TOPOLOGY_CARTESIAN && is_whole(topology, 3 * first, count)) {
        add_cartesian(&sources, values, topology->first_count, rank);
    } else if (topology->kind == MPILENS_TOPOLOGY_GRAPH && is_whole(topology, first + second, count) && rank >= 0 &&
               rank < first) {
        const int64_t begin = rank > 0 ? values[rank - 1] : 0, end = values[rank];
        if (begin < 0 || end < begin || end > second)
            return;
        add_all(&sources, values + first + begin, end - begin);
    } else {
        return;
    }
    communicator->sources = communicator->destinations = make_group(collection, &sources);
}

void collect_neighbours(const struct collection *collection, struct communicator *communicator)
{
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    if (communicator->group == NULL || collection->dll->mpilens_get_topology(collection->handle, &topology) != mqs_ok ||
        topology.kind == MPILENS_TOPOLOGY_NONE || topology.value_count > MOST_VALUES)
        return;
    size_t count = 0;
    int32_t *values = allocate(((size_t)topology.value_count + 1) * sizeof *values);
    if (collection->dll->mpilens_get_topology_values(collection->handle, values, topology.value_count, &count) ==
            mqs_ok &&
        count == topology.value_count && count > 0)
        take(collection, communicator, &topology, values, count);
    free(values);
}
