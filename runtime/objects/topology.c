/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks MPI for the topology of a communicator and stores it.
 */
#include "objects/objects_internal.h"

#include "memory/memory.h"
#include "mpi/functions.h"

#include <string.h>

enum { VALUES_KEPT = 1 << 20 };

/* How many values there is room for: of a distributed graph also for weights that it has not. */
static size_t room_of(const struct mpilens_topology *topology)
{
    size_t first = (size_t)topology->first_count;
    size_t second = (size_t)topology->second_count;
    switch (topology->kind) {
    case MPILENS_TOPOLOGY_CARTESIAN:
        return 3 * first;
    case MPILENS_TOPOLOGY_GRAPH:
        return first + second;
    default:
        return 2 * (first + second);
    }
}

static int32_t *values_of(const struct mpilens_topology *topology)
{
    return (int32_t *)(uintptr_t)topology->values;
}

/* Room for the values of what the counts say. NULL: there are none, too many, or there is no memory. */
static int32_t *take_values(struct mpilens_topology *topology)
{
    size_t room = room_of(topology);
    int32_t *values = topology->short_values;
    if (room == 0 || room > VALUES_KEPT)
        return NULL;
    if (room > sizeof topology->short_values / sizeof topology->short_values[0])
        values = block_take(room * sizeof *values);
    topology->values = (uint64_t)(uintptr_t)values;
    return values;
}

static void give_values_back(struct mpilens_topology *topology)
{
    if (values_of(topology) != topology->short_values)
        block_give_back(values_of(topology), room_of(topology) * sizeof(int32_t));
    topology->values = 0;
}

static void set_counts(struct mpilens_topology *topology, enum mpilens_topology_kind kind, int first, int second)
{
    topology->kind = kind;
    topology->first_count = first;
    topology->second_count = second;
}

/* How many values are known now; without any the others are not kept. */
static void set_known(struct mpilens_topology *topology, bool known, size_t count)
{
    if (known)
        topology->value_count = (uint32_t)count;
    else
        give_values_back(topology);
}

static void ask_cartesian(struct mpilens_topology *topology, MPI_Comm handle)
{
    int dimensions = 0;
    if (mpilens__asked.MPI_Cartdim_get(handle, &dimensions) != MPI_SUCCESS)
        return;
    set_counts(topology, MPILENS_TOPOLOGY_CARTESIAN, dimensions, 0);
    int32_t *dims = take_values(topology);
    if (dims == NULL)
        return;
    int32_t *periods = dims + dimensions;
    int32_t *coordinates = periods + dimensions;
    set_known(topology, mpilens__asked.MPI_Cart_get(handle, dimensions, dims, periods, coordinates) == MPI_SUCCESS,
              room_of(topology));
}

static void ask_graph(struct mpilens_topology *topology, MPI_Comm handle)
{
    int nodes = 0;
    int edges = 0;
    if (mpilens__asked.MPI_Graphdims_get(handle, &nodes, &edges) != MPI_SUCCESS)
        return;
    set_counts(topology, MPILENS_TOPOLOGY_GRAPH, nodes, edges);
    int32_t *values = take_values(topology);
    if (values != NULL)
        set_known(topology, mpilens__asked.MPI_Graph_get(handle, nodes, edges, values, values + nodes) == MPI_SUCCESS,
                  room_of(topology));
}

static void ask_distributed_graph(struct mpilens_topology *topology, MPI_Comm handle)
{
    int in = 0;
    int out = 0;
    int weighted = 0;
    if (mpilens__asked.MPI_Dist_graph_neighbors_count(handle, &in, &out, &weighted) != MPI_SUCCESS)
        return;
    set_counts(topology, MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH, in, out);
    topology->weighted = weighted != 0;
    int32_t *sources = take_values(topology);
    if (sources == NULL)
        return;
    int32_t *destinations = sources + in;
    int32_t *weights = destinations + out;
    set_known(topology,
              mpilens__asked.MPI_Dist_graph_neighbors(handle, in, sources, weights, out, destinations, weights + in) ==
                  MPI_SUCCESS,
              weighted ? room_of(topology) : room_of(topology) / 2);
}

void topology_ask(struct mpilens_topology *topology, MPI_Comm handle, bool reordered)
{
    int kind = MPI_UNDEFINED;
    if (mpilens__asked.MPI_Topo_test(handle, &kind) != MPI_SUCCESS || kind == MPI_UNDEFINED)
        return;
    topology->reordered = reordered;
    if (kind == MPI_CART)
        ask_cartesian(topology, handle);
    else if (kind == MPI_GRAPH)
        ask_graph(topology, handle);
    else if (kind == MPI_DIST_GRAPH)
        ask_distributed_graph(topology, handle);
}

void topology_copy(struct mpilens_topology *topology, const struct mpilens_topology *original)
{
    if (original->kind == MPILENS_TOPOLOGY_NONE)
        return;
    *topology = *original;
    topology->values = 0;
    topology->value_count = 0;
    int32_t *values = original->value_count > 0 ? take_values(topology) : NULL;
    if (values == NULL)
        return;
    memcpy(values, values_of(original), original->value_count * sizeof *values);
    topology->value_count = original->value_count;
}

void topology_give_back(struct mpilens_topology *topology)
{
    if (topology->kind == MPILENS_TOPOLOGY_NONE)
        return;
    give_values_back(topology);
    memset(topology, 0, sizeof *topology);
}
