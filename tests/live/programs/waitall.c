/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: five receives of growing size and an MPI_REQUEST_NULL in one MPI_Waitall.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

enum { receives = 5 };

static short values[receives][100];

int main(int argc, char **argv)
{
    MPI_Request requests[receives + 1];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    requests[receives] = MPI_REQUEST_NULL;
    for (int i = 0; i < receives; i++) {
        MPI_Irecv(values[i], i * 10, MPI_SHORT, other, 7 - i, MPI_COMM_WORLD, &requests[i]); /* LINE(irecv) */
        expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 1, .peer = other,
                                      .world = other, .tag = 7 - i, .count = i * 10L, .bytes = i * 20L,
                                      .datatype = "MPI_SHORT", .buffer = values[i], .request = &requests[i]));
    }
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(receives + 1, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
