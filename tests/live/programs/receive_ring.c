/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a ring of any size, each rank blocked in MPI_Recv from its left neighbour.
 *
 * RANKS 4
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int size;
    int value;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size;
    struct expected_communicator *world = expect_world();
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = left,
                                  .world = left, .tag = 1000 + left, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, left, 1000 + left, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 1000 + rank, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
