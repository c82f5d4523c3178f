/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a process that waits for itself on MPI_COMM_SELF with the wrong tag.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[2] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    const char *keys[] = {"self 0", "self 1"};
    expect_world();
    struct expected_communicator *self = expect_communicator(MPI_COMM_SELF, keys[rank], "MPI_COMM_SELF", NULL);
    MPI_Issend(&values[0], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request); /* LINE(issend) */
    expect_send(self, MESSAGE(.function = "MPI_Issend", .line = "issend", .mode = "synchronous", .peer = 0,
                              .world = rank, .tag = 1, .count = 1, .buffer = &values[0], .request = &request));
    expect_unexpected(self, MESSAGE(.function = "MPI_Issend", .line = "issend", .mode = "synchronous", .peer = 0,
                                    .world = rank, .tag = 1, .count = 1));
    expect_receive(self, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 0,
                                 .world = rank, .tag = 2, .count = 1, .buffer = &values[1]));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&values[1], 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
