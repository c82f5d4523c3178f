/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Master and workers by wildcards: the master takes a result of anyone and answers with new work of random length, so
 * most of the time it waits for any of the workers, and some of them for the master.
 *
 * EXPECT none
 * RANKS 6
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

enum { tag_work, tag_result, longest = 80, stop = -1 };

static void hand_out(int workers)
{
    int result;
    MPI_Status status;
    for (int piece = 0; workers > 0; piece++) {
        int work = told_to_end() ? stop : piece * 37 % longest;
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Send(&work, 1, MPI_INT, status.MPI_SOURCE, tag_work, MPI_COMM_WORLD);
        workers -= work == stop;
    }
}

static void work_off(void)
{
    int work = 0;
    while (work != stop) {
        MPI_Send(&work, 1, MPI_INT, 0, tag_result, MPI_COMM_WORLD);
        MPI_Recv(&work, 1, MPI_INT, 0, tag_work, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        compute(work == stop ? 0 : work);
    }
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        hand_out(size - 1);
    } else {
        work_off();
    }
    MPI_Finalize();
    return 0;
}
