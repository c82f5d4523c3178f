/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: two ranks, each blocked in a standard MPI_Send of 4 MiB to the other.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

enum { bytes = 4 << 20 };

static char values[bytes];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    expect_send(world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .awaited = 1, .peer = other,
                               .world = other, .tag = 9, .count = bytes, .bytes = bytes, .datatype = "MPI_CHAR",
                               .buffer = values));
    expect_unexpected(world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = other,
                                     .world = other, .tag = 9, .count = bytes, .bytes = bytes, .datatype = "MPI_CHAR"));
    expect_call("MPI_Send", "send");
    expect_ready();
    MPI_Send(values, bytes, MPI_CHAR, other, 9, MPI_COMM_WORLD); /* LINE(send) */
    MPI_Finalize();
    return 0;
}
