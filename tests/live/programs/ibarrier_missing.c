/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: ranks 1 and 2 wait for a nonblocking barrier that rank 0 does not join; it receives instead.
 *
 * RANKS 3
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Request request;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    if (rank == 0) {
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 1,
                                      .world = 1, .tag = 0, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, 1, 0, comm, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    MPI_Ibarrier(comm, &request); /* LINE(ibarrier) */
    expect_collective(world, "barrier", 1, 1);
    expect_request(REQUEST(.request_class = "collective", .function = "MPI_Ibarrier", .line = "ibarrier",
                           .collective = 1, .communicator = &comm, .request = &request, .awaited = 1));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
