/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A graph that its ranks do not agree about: rank 2 has rank 0 among its sources, which has not rank 2 among its
 * destinations.
 *
 * EXPECT no-match ranks 0,2 culprits 0,2 lines exchange,barrier,graph
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

static void make_graph(int source_count, const int *sources, const int *destination, MPI_Comm *graph)
{
    const MPI_Info info = MPI_INFO_NULL;
    int *one = MPI_UNWEIGHTED;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, source_count, sources, one, 1, destination, /* LINE(graph) */
                                   one, info, 0, graph);
}

int main(int argc, char **argv)
{
    const int destination[] = {1, 2, 0};
    const int sources[][2] = {{2}, {0}, {1, 0}};
    int rank;
    double given = 0;
    double taken[2];
    MPI_Comm graph;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_graph(rank == 2 ? 2 : 1, sources[rank], &destination[rank], &graph);
    MPI_Neighbor_allgather(&given, 1, MPI_DOUBLE, taken, 1, MPI_DOUBLE, graph); /* LINE(exchange) */
    MPI_Barrier(graph);                                                         /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
