/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 receives from anybody, all others receive from rank 0.
 *
 * RANKS 3
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[2];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1,
                                  .peer = rank == 0 ? MPI_ANY_SOURCE : 0, .tag = 5, .count = 2, .buffer = values));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    int source = rank == 0 ? MPI_ANY_SOURCE : 0;
    MPI_Recv(values, 2, MPI_INT, source, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
