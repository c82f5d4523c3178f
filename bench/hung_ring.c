/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring that hangs: every rank waits for the rank before it and sends nothing. Says when a rank is about to hang.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enum { life_seconds = 120 };
    int rank;
    int size;
    double values[64];
    alarm(life_seconds);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("ready\n");
    fflush(stdout);
    MPI_Recv(values, 64, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
