/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 begins an access epoch at rank 1, which does not expose its memory: it waits for a message that rank 0 sends
 * after the epoch.
 *
 * EXPECT window-wait ranks 0,1 culprits 1 lines start|complete
 * RANKS 2
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int memory[4] = {0};
    MPI_Win window;
    MPI_Group all;
    MPI_Group other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){1 - rank}, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, window); /* LINE(start) */
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window); /* LINE(complete) */
        MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
