/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a cancelled receive is collected, another is cancelled and not collected, a third is waited for.
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
    }
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Cancel(&requests[1]);
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .status = "pending|complete", .peer = other,
                                  .world = other, .tag = 1, .count = 1, .buffer = &values[1], .request = &requests[1]));
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 1, .peer = other, .world = other,
                                  .tag = 2, .count = 1, .buffer = &values[2], .request = &requests[2]));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
