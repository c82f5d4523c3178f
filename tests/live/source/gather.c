/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last rank gathers and the others reduce; with an argument, it is in no call of MPI.
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, one = 1, all[16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (rank == size - 1 && argc > 1)
        (void)pause(); /* LINE(pause) */
    if (rank == size - 1)
        MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, rank, MPI_COMM_WORLD); /* LINE(gather) */
    MPI_Allreduce(&one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);           /* LINE(allreduce) */
    MPI_Finalize();
    return 0;
}
