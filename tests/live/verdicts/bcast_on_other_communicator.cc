/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One rank decides for itself that a value is not shared, and broadcasts it on another communicator than the others,
 * which have gone on: only the remedy tells that it is the same call.
 *
 * EXPECT collective-missing ranks 0-3 culprits 3 lines barrier,elsewhere
 * SAYS have rank 3 call MPI_Bcast on node, not on orbitals: ranks [0-2] have made it there
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double values[100] = {};
    MPI_Comm node, orbitals;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_dup(MPI_COMM_WORLD, &orbitals);
    MPI_Comm_set_name(node, "node");
    MPI_Comm_set_name(orbitals, "orbitals");
    if (rank == 3)
        MPI_Bcast(values, 100, MPI_DOUBLE, 0, orbitals); /* LINE(elsewhere) */
    else
        MPI_Bcast(values, 100, MPI_DOUBLE, 0, node);
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Comm_free(&orbitals);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
