/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 reads a pipe into which nobody writes; the others wait for what it has read.
 *
 * EXPECT waiting-for-rank ranks 0-2 culprits 0 lines read,share
 * SAYS rank 0, which is not in MPI: waiting to read a pipe
 * RANKS 3
 * OPTIONS --patience 1
 * WITHOUT cores
 * CHECK mpich
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, ends[2], cells = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && (pipe(ends) != 0 || read(ends[0], &cells, sizeof cells) < 0)) /* LINE(read) */
        return 1;
    MPI_Bcast(&cells, 1, MPI_INT, 0, MPI_COMM_WORLD); /* LINE(share) */
    MPI_Finalize();
    return 0;
}
