/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: two ranks, each blocked in MPI_Ssend to the other.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    double values[3] = {0};
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    expect_send(world, MESSAGE(.function = "MPI_Ssend", .line = "ssend", .mode = "synchronous", .blocking = 1,
                               .awaited = 1, .peer = other, .world = other, .tag = 3 + other, .count = 3, .bytes = 24,
                               .datatype = "MPI_DOUBLE", .buffer = values));
    expect_unexpected(world, MESSAGE(.function = "MPI_Ssend", .line = "ssend", .mode = "synchronous", .blocking = 1,
                                     .peer = other, .world = other, .tag = 3 + rank, .count = 3, .bytes = 24,
                                     .datatype = "MPI_DOUBLE"));
    expect_call("MPI_Ssend", "ssend");
    expect_ready();
    MPI_Ssend(values, 3, MPI_DOUBLE, other, 3 + other, MPI_COMM_WORLD); /* LINE(ssend) */
    MPI_Finalize();
    return 0;
}
