/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 has sent a small message with tag 7 and goes on; rank 1 waits for one with tag 8.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[10] = {0};
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    if (rank == 0) {
        MPI_Send(values, 10, MPI_INT, 1, 7, MPI_COMM_WORLD); /* LINE(send) */
    } else {
        expect_unexpected(world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = 0, .world = 0,
                                         .tag = 7, .count = 10));
    }
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 8, .count = 10, .buffer = values));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(values, 10, MPI_INT, other, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
