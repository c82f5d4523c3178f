/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: the request of an active receive was freed; its handle went to the next receive, which is waited for.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[2];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Irecv(&values[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]); /* LINE(freed) */
    MPI_Request_free(&requests[0]);
    MPI_Irecv(&values[1], 1, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[1]); /* LINE(irecv) */
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "freed", .peer = other, .world = other, .tag = 1,
                                  .count = 1, .buffer = &values[0]));
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 1, .peer = other, .world = other,
                                  .tag = 2, .count = 1, .buffer = &values[1], .request = &requests[1]));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
