/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Halo exchange on a line of ranks; rank 2 sends to the right with the tag of the other direction.
 *
 * EXPECT tag-mismatch ranks 2,3 culprits 2,3 lines right,from_left
 * RANKS 4
 * CHECK mpich openmpi, all forms
 */
#include <mpi.h>

enum { cells = 100, to_left = 10, to_right = 11 };

static void exchange(double *u, int rank, int size)
{
    MPI_Request requests[4];
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    int tag = rank == 2 ? to_left : to_right;
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, to_right, MPI_COMM_WORLD, &requests[0]); /* LINE(from_left) */
    MPI_Irecv(&u[cells + 1], 1, MPI_DOUBLE, right, to_left, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, to_left, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&u[cells], 1, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, &requests[3]); /* LINE(right) */
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    double u[cells + 2] = {0};
    double sum;
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange(u, rank, size);
    MPI_Allreduce(u, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
