/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Bsend, MPI_Rsend and small MPI_Send have returned; the receiver got only the second of four.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    static char space[1024 + MPI_BSEND_OVERHEAD];
    int values[4] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    expect_collective(world, "barrier", 1, 0);
    if (rank == 0) {
        MPI_Buffer_attach(space, sizeof space);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bsend(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* LINE(bsend) */
        MPI_Rsend(values, 2, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Send(values, 3, MPI_INT, 1, 3, MPI_COMM_WORLD);  /* LINE(send) */
        MPI_Bsend(values, 4, MPI_INT, 1, 4, MPI_COMM_WORLD); /* LINE(last) */
        expect_call("MPI_Recv", "recv");
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 1,
                                      .world = 1, .tag = 9, .count = 1, .buffer = values));
    } else {
        MPI_Irecv(values, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect_unexpected(world, MESSAGE(.function = "MPI_Bsend", .line = "bsend", .mode = "buffered", .blocking = 1,
                                         .peer = 0, .tag = 1, .count = 1));
        expect_unexpected(
            world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = 0, .tag = 3, .count = 3));
        expect_unexpected(world, MESSAGE(.function = "MPI_Bsend", .line = "last", .mode = "buffered", .blocking = 1,
                                         .peer = 0, .tag = 4, .count = 4));
        expect_call("MPI_Recv", "recv");
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 0,
                                      .world = 0, .tag = 9, .count = 1, .buffer = values));
    }
    expect_ready();
    MPI_Recv(values, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
