/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A graph in which rank 2 has left out the edge to its right neighbour. That one waits for it; the others have ended
 * the exchange and freed the graph.
 *
 * EXPECT collective-missing ranks 0-2 culprits 1,2 lines exchange
 * SAYS both ends of every edge
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int neighbours[2] = {(rank + size - 1) % size, (rank + 1) % size};
    int all[2];
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, neighbours, MPI_UNWEIGHTED, rank == 2 ? 1 : 2, neighbours,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, graph); /* LINE(exchange) */
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
