/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Bcast where each of two ranks thinks that the other is the root.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[4];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    expect_collective(world, "broadcast", 1, 1);
    expect_call("MPI_Bcast", "bcast");
    expect_ready();
    MPI_Bcast(values, 4, MPI_INT, 1 - rank, MPI_COMM_WORLD); /* LINE(bcast) */
    MPI_Finalize();
    return 0;
}
