/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An access epoch at a rank that exposes its memory only after a long computation.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int memory[4] = {0};
    MPI_Win window;
    MPI_Group all;
    MPI_Group target;
    MPI_Group origins;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){0}, &target);
    MPI_Group_incl(all, 2, (int[]){1, 2}, &origins);
    if (rank == 0) {
        while (!told_to_end()) {
            compute(10);
        }
        MPI_Win_post(origins, 0, window);
        MPI_Win_wait(window);
    } else {
        MPI_Win_start(target, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&target);
    MPI_Group_free(&origins);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
