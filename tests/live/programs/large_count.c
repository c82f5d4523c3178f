/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: _c variants with counts beyond 32 bits.
 *
 * RANKS 2
 * NEEDS MPI_Send_c
 * CHECK mpich openmpi
 */
#define _GNU_SOURCE
#include "expect.h"

#include <sys/mman.h>

int main(int argc, char **argv)
{
    const MPI_Count count = 5000000000;
    const int other_flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    char *space = mmap(NULL, (size_t)count, PROT_READ | PROT_WRITE, other_flags, -1, 0);
    if (space == MAP_FAILED) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Irecv_c(space, count, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[0]); /* LINE(irecv) */
    MPI_Recv_init_c(space, count / 4, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Start(&requests[1]);                                                  /* LINE(start) */
    MPI_Issend_c(space, 3, MPI_BYTE, other, 3, MPI_COMM_WORLD, &requests[2]); /* LINE(issend) */
    expect_receive(world, MESSAGE(.function = "MPI_Irecv_c", .line = "irecv", .peer = other, .world = other, .tag = 1,
                                  .count = count, .bytes = count, .datatype = "MPI_BYTE", .buffer = space,
                                  .request = &requests[0]));
    expect_receive(world, MESSAGE(.function = "MPI_Recv_init_c", .line = "start", .persistent = 1, .peer = other,
                                  .world = other, .tag = 2, .count = count / 4, .bytes = count, .buffer = space,
                                  .request = &requests[1]));
    expect_receive(world, MESSAGE(.function = "MPI_Recv_c", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 4, .count = count / 2, .bytes = count, .datatype = "MPI_SHORT",
                                  .buffer = space));
    expect_send(world, MESSAGE(.function = "MPI_Issend_c", .line = "issend", .mode = "synchronous", .peer = other,
                               .world = other, .tag = 3, .count = 3, .bytes = 3, .datatype = "MPI_BYTE",
                               .buffer = space, .request = &requests[2]));
    expect_unexpected(world, MESSAGE(.function = "MPI_Issend_c", .line = "issend", .mode = "synchronous", .peer = other,
                                     .world = other, .tag = 3, .count = 3, .bytes = 3, .datatype = "MPI_BYTE"));
    expect_call("MPI_Recv_c", "recv");
    expect_ready();
    MPI_Recv_c(space, count / 2, MPI_SHORT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
