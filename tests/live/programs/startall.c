/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: three persistent receives and a synchronous persistent send begun by MPI_Startall and waited for.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[4] = {0};
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    for (int i = 0; i < 3; i++) {
        MPI_Recv_init(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Ssend_init(&values[3], 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[3]);
    MPI_Startall(4, requests); /* LINE(start) */
    for (int i = 0; i < 3; i++) {
        expect_receive(world, MESSAGE(.function = "MPI_Recv_init", .line = "start", .persistent = 1, .awaited = 1,
                                      .peer = other, .world = other, .tag = i, .count = 1, .buffer = &values[i],
                                      .request = &requests[i]));
    }
    expect_send(world, MESSAGE(.function = "MPI_Ssend_init", .line = "start", .mode = "synchronous", .persistent = 1,
                               .awaited = 1, .peer = other, .world = other, .tag = 3, .count = 1, .buffer = &values[3],
                               .request = &requests[3]));
    expect_unexpected(world, MESSAGE(.function = "MPI_Ssend_init", .line = "start", .mode = "synchronous",
                                     .persistent = 1, .peer = other, .world = other, .tag = 3, .count = 1));
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
