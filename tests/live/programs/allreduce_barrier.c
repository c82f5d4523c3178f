/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 in MPI_Allreduce of 1 MiB, rank 1 in MPI_Barrier.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

enum { count = 1 << 17 };

static double sent[count], got[count];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    if (rank == 0) {
        expect_collective(world, "allreduce", 1, 1);
        expect_call("MPI_Allreduce", "allreduce");
        expect_ready();
        MPI_Allreduce(sent, got, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* LINE(allreduce) */
    }
    expect_collective(world, "barrier", 1, 1);
    expect_call("MPI_Barrier", "barrier");
    expect_ready();
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
