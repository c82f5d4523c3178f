/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a shift along an open chain by MPI_Sendrecv; the ends have MPI_PROC_NULL on one side.
 *
 * RANKS 3
 * CHECK mpich openmpi
 */
#include "expect.h"

enum { count = 1 << 20 };

static int sent[count], got[count];

int main(int argc, char **argv)
{
    MPI_Status status;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int to = rank == 2 ? MPI_PROC_NULL : rank + 1;
    int from = rank == 0 ? MPI_PROC_NULL : rank - 1;
    MPI_Comm comm = MPI_COMM_WORLD;
    struct expected_communicator *world = expect_world();
    if (rank < 2) {
        expect_send(world, MESSAGE(.function = "MPI_Sendrecv", .line = "shift", .blocking = 1, .awaited = 1,
                                   .peer = rank + 1, .world = rank + 1, .tag = 1, .count = count, .buffer = sent));
    }
    if (rank > 0) {
        expect_receive(world, MESSAGE(.function = "MPI_Sendrecv", .line = "shift", .blocking = 1, .awaited = 1,
                                      .peer = rank - 1, .world = rank - 1, .tag = 2, .count = count, .buffer = got));
        expect_unexpected(world, MESSAGE(.function = "MPI_Sendrecv", .line = "shift", .blocking = 1, .peer = rank - 1,
                                         .world = rank - 1, .tag = 1, .count = count));
    }
    expect_call("MPI_Sendrecv", "shift");
    expect_ready();
    MPI_Sendrecv(sent, count, MPI_INT, to, 1, got, count, MPI_INT, from, 2, comm, &status); /* LINE(shift) */
    MPI_Finalize();
    return 0;
}
