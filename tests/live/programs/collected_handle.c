/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: of five small sends under one handle, two were waited for; three are still to be collected.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[6] = {0};
    MPI_Request requests[5];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    for (int i = 0; i < 5; i++) {
        MPI_Isend(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]); /* LINE(isend) */
    }
    for (int i = 0; i < 5; i++) {
        MPI_Recv(&values[5], 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 2; i < 5; i++) {
        expect_send(world,
                    MESSAGE(.function = "MPI_Isend", .line = "isend", .status = "complete", .peer = other,
                            .world = other, .tag = i, .count = 1, .buffer = &values[i], .request = &requests[i]));
    }
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 6, .count = 1, .buffer = &values[5]));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&values[5], 1, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
