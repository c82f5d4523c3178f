/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a receive that MPI_Request_get_status has reported complete stays uncollected next to a pending one.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[8] = {0};
    int complete = 0;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Irecv(values, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]); /* LINE(first) */
    MPI_Irecv(values + 4, 4, MPI_INT, other, 12, MPI_COMM_WORLD, &requests[1]);               /* LINE(second) */
    MPI_Send(&rank, 1, MPI_INT, other, 11, MPI_COMM_WORLD);
    while (!complete) {
        MPI_Request_get_status(requests[0], &complete, MPI_STATUS_IGNORE);
    }
    expect_receive(world,
                   MESSAGE(.function = "MPI_Irecv", .line = "first", .status = "complete", .peer = MPI_ANY_SOURCE,
                           .tag = MPI_ANY_TAG, .count = 4, .buffer = values, .request = &requests[0], .actual = 1,
                           .actual_peer = other, .actual_world = other, .actual_tag = 11, .actual_bytes = 4));
    expect_receive(world,
                   MESSAGE(.function = "MPI_Irecv", .line = "second", .awaited = 1, .peer = other, .world = other,
                           .tag = 12, .count = 4, .buffer = values + 4, .request = &requests[1]));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
