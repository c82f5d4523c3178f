/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Iteration with a global residual, but the loop ends by the local one: rank 2 goes on to the gather alone.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 2 lines residual,results
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double all[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double local = 1;
    double global = 1;
    while (local > 1e-6) {
        local /= rank == 2 ? 4 : 2;
        MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* LINE(residual) */
    }
    MPI_Allgather(&global, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD); /* LINE(results) */
    MPI_Finalize();
    return 0;
}
