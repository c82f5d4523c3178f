/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two libraries with communicators of their own: rank 0 calls the first one first, the others the second.
 *
 * EXPECT collective-missing ranks 0-3 culprits 0 lines first,second
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm solver, output;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &solver);
    MPI_Comm_dup(MPI_COMM_WORLD, &output);
    if (rank == 0) {
        MPI_Barrier(solver); /* LINE(first) */
        MPI_Barrier(output);
    } else {
        MPI_Barrier(output); /* LINE(second) */
        MPI_Barrier(solver);
    }
    MPI_Comm_free(&solver);
    MPI_Comm_free(&output);
    MPI_Finalize();
    return 0;
}
