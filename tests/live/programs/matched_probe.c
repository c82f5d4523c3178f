/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a matched probe took a message out; MPI_Imrecv on it is not collected, another was received by MPI_Mrecv.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[8] = {0};
    MPI_Message message;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    for (int i = 0; i < 3; i++) {
        MPI_Send(values, i + 1, MPI_INT, other, 40 + i, MPI_COMM_WORLD); /* LINE(send) */
    }
    MPI_Mprobe(other, 41, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(values, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(values, 8, MPI_INT, &message, &request); /* LINE(imrecv) */
    expect_receive(world,
                   MESSAGE(.function = "MPI_Imrecv", .line = "imrecv", .status = "matched|complete", .peer = other,
                           .world = other, .tag = 40, .count = 8, .buffer = values, .request = &request));
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 43, .count = 8, .buffer = values));
    expect_unexpected(world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = other,
                                     .world = other, .tag = 42, .count = 3));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(values, 8, MPI_INT, other, 43, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
