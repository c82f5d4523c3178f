/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

int main(int argc, char **argv)
{
    double mine = 1, all;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++) {
        MPI_Bcast(&mine, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 3)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
