/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: both ranks receive with MPI_ANY_TAG, rank 1 also from MPI_ANY_SOURCE.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    char values[64];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int source = rank == 0 ? 1 : MPI_ANY_SOURCE;
    struct expected_communicator *world = expect_world();
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = source,
                                  .world = source, .tag = MPI_ANY_TAG, .count = 64, .bytes = 64, .datatype = "MPI_BYTE",
                                  .buffer = values));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(values, 64, MPI_BYTE, source, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
