/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: an application that calls the PMPI_ names itself.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[2];
    MPI_Request request;
    PMPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    PMPI_Irecv(&values[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request); /* LINE(irecv) */
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .peer = other, .world = other, .tag = 1,
                                  .count = 1, .buffer = &values[0], .request = &request));
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 2, .count = 1, .buffer = &values[1]));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    PMPI_Recv(&values[1], 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    PMPI_Finalize();
    return 0;
}
