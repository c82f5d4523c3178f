/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: the message is sent on MPI_COMM_WORLD and received on a duplicate of it.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Comm duplicate;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    struct expected_communicator *world = expect_world();
    struct expected_communicator *copy =
        expect_communicator(duplicate, "duplicate", NULL, "MPI_Comm_dup of MPI_COMM_WORLD");
    MPI_Send(&value, 1, MPI_INT, other, 5, MPI_COMM_WORLD); /* LINE(send) */
    expect_unexpected(world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = other,
                                     .world = other, .tag = 5, .count = 1));
    expect_receive(copy, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                 .world = other, .tag = 5, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, other, 5, duplicate, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return 0;
}
