/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

static void exchange(int rank, int size)
{
    double given[16] = {0}, taken[16];
    const int tag = rank == 1 ? 7 : 8;
    MPI_Send(given, 16, MPI_DOUBLE, (rank + 1) % size, tag, MPI_COMM_WORLD);
    MPI_Recv(taken, 16, MPI_DOUBLE, (rank + size - 1) % size, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange(rank, size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
