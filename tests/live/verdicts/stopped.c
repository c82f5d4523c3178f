/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 has been stopped, as by Ctrl-Z or a debugger that was left, and rank 0 waits for it. A core file does not
 * tell.
 *
 * EXPECT waiting-for-rank ranks 0,1 culprits 1 lines recv
 * RANKS 2
 * WITHOUT cores
 * CHECK openmpi
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        raise(SIGSTOP);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    MPI_Finalize();
    return 0;
}
