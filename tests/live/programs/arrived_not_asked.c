/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: one of three receives has got its message, which nobody but MPI has looked at.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[3];
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]); /* LINE(irecv) */
        expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv",
                                      .status = i == 1 ? "pending|matched|complete" : "pending",
                                      .awaited = i == 1 ? -1 : 1, .peer = other, .world = other, .tag = i, .count = 1,
                                      .buffer = &values[i], .request = &requests[i]));
    }
    MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
