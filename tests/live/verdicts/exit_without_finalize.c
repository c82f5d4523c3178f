/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 finds no input and leaves without telling anyone, while rank 2 waits for it.
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
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && access("/no/such/input", R_OK) != 0) {
        _exit(0);
    }
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
