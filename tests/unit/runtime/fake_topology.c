/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fake MPI library's answers about topologies: every communicator has the one that the test chooses. Questions for
 * another kind abort.
 */
#include "fake_mpi.h"

#include <stdlib.h>
#include <string.h>

static void check_kind(int kind)
{
    if (fake.topology.kind != kind)
        abort();
}

/* Copies `count` of the values, behind the first `before`. */
static void copy(int *ret_values, int before, int count)
{
    if (count > 0)
        memcpy(ret_values, fake.topology.values + before, (size_t)count * sizeof *ret_values);
}

int PMPI_Topo_test(MPI_Comm communicator, int *ret_kind)
{
    (void)communicator;
    fake.topology_calls++;
    *ret_kind = fake.topology.kind ? fake.topology.kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int PMPI_Cartdim_get(MPI_Comm communicator, int *ret_dimensions)
{
    (void)communicator;
    check_kind(MPI_CART);
    *ret_dimensions = fake.topology.first;
    return MPI_SUCCESS;
}

int PMPI_Cart_get(MPI_Comm communicator, int capacity, int *ret_dims, int *ret_periods, int *ret_coordinates)
{
    (void)communicator;
    check_kind(MPI_CART);
    copy(ret_dims, 0, capacity);
    copy(ret_periods, capacity, capacity);
    copy(ret_coordinates, 2 * capacity, capacity);
    return MPI_SUCCESS;
}

int PMPI_Graphdims_get(MPI_Comm communicator, int *ret_nodes, int *ret_edges)
{
    (void)communicator;
    check_kind(MPI_GRAPH);
    *ret_nodes = fake.topology.first;
    *ret_edges = fake.topology.second;
    return MPI_SUCCESS;
}

int PMPI_Graph_get(MPI_Comm communicator, int nodes, int edges, int *ret_index, int *ret_edges)
{
    (void)communicator;
    check_kind(MPI_GRAPH);
    copy(ret_index, 0, nodes);
    copy(ret_edges, nodes, edges);
    return MPI_SUCCESS;
}

int PMPI_Dist_graph_neighbors_count(MPI_Comm communicator, int *ret_in, int *ret_out, int *ret_weighted)
{
    (void)communicator;
    check_kind(MPI_DIST_GRAPH);
    *ret_in = fake.topology.first;
    *ret_out = fake.topology.second;
    *ret_weighted = fake.topology.weighted;
    return MPI_SUCCESS;
}

int PMPI_Dist_graph_neighbors(MPI_Comm communicator, int in, int *ret_sources, int *ret_source_weights, int out,
                              int *ret_destinations, int *ret_destination_weights)
{
    (void)communicator;
    check_kind(MPI_DIST_GRAPH);
    copy(ret_sources, 0, in);
    copy(ret_destinations, in, out);
    if (fake.topology.weighted) {
        copy(ret_source_weights, in + out, in);
        copy(ret_destination_weights, 2 * in + out, out);
    }
    return MPI_SUCCESS;
}
