/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: of four ranks, three are in their second MPI_Barrier and one in MPI_Recv.
 *
 * RANKS 4
 * CHECK mpich openmpi
 * UNPREPARED openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        expect_collective(world, "barrier", 1, 0);
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 0,
                                      .world = 0, .tag = 1, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    } else {
        expect_collective(world, "barrier", 2, 1);
        expect_call("MPI_Barrier", "barrier");
        expect_ready();
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
