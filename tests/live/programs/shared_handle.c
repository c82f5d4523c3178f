/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: three small sends that MPI completed at once (they may share one handle) and a receive in one MPI_Waitall.
 *
 * RANKS 2
 * CHECK mpich openmpi, all forms
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[4] = {0};
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    for (int i = 0; i < 3; i++) {
        MPI_Isend(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]); /* LINE(isend) */
        expect_send(world,
                    MESSAGE(.function = "MPI_Isend", .line = "isend", .status = "complete", .peer = other,
                            .world = other, .tag = i, .count = 1, .buffer = &values[i], .request = &requests[i]));
    }
    for (int i = 0; i < 3; i += 2) {
        MPI_Recv(&values[3], 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    expect_unexpected(
        world, MESSAGE(.function = "MPI_Isend", .line = "isend", .peer = other, .world = other, .tag = 1, .count = 1));
    MPI_Irecv(&values[3], 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[3]); /* LINE(irecv) */
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 1, .peer = other, .world = other,
                                  .tag = 3, .count = 1, .buffer = &values[3], .request = &requests[3]));
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
