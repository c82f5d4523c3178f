/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 makes one call less on a duplicate and frees it, and has made and freed many other communicators since.
 *
 * EXPECT collective-missing ranks 0-2 culprits 0 lines reduce,free,barrier
 * SAYS rank 0, which has freed it after 6 collective calls by MPI_Comm_free
 * SAYS made call 6 there before it freed it: MPI_Allreduce
 * SAYS make the same collective calls on MPI_Comm_dup of MPI_COMM_WORLD on all of its ranks before one frees it
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, sum;
    MPI_Comm copy, own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < (rank == 0 ? 6 : 7); i++)
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, copy); /* LINE(reduce) */
    MPI_Comm_free(&copy);                                       /* LINE(free) */
    for (int i = 0; i < 200; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &own);
        MPI_Comm_free(&own);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
