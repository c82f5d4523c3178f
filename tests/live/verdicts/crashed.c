/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 follows a null pointer before its send, and its own handler ends it without a word to the others; rank 0 waits
 * for rank 2, rank 2 for rank 1.
 *
 * EXPECT waiting-for-rank ranks 1,2 culprits 1 lines recv
 * RANKS 3
 * LAUNCHER mpich -disable-auto-cleanup
 * LAUNCHER openmpi --enable-recovery
 * WITHOUT cores
 * CHECK mpich openmpi
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int *volatile table = NULL;

static void leave(int signal_number)
{
    _exit(signal_number);
}

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGSEGV, leave);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        value = table[rank];
        MPI_Send(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    } else {
        int from = rank == 2 ? 1 : 2;
        MPI_Recv(&value, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
        if (rank == 2) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
