/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Sendrecv_replace in a ring of three where the tags of the receives are wrong.
 *
 * RANKS 3
 * CHECK mpich openmpi
 */
#include "expect.h"

enum { count = 1 << 20 };

static int values[count];

int main(int argc, char **argv)
{
    MPI_Status status;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int to = (rank + 1) % 3;
    int from = (rank + 2) % 3;
    struct expected_communicator *world = expect_world();
    expect_send(world, MESSAGE(.function = "MPI_Sendrecv_replace", .line = "replace", .blocking = 1, .awaited = 1,
                               .peer = to, .world = to, .tag = 21, .count = count, .buffer = values));
    expect_receive(world, MESSAGE(.function = "MPI_Sendrecv_replace", .line = "replace", .blocking = 1, .awaited = 1,
                                  .peer = from, .world = from, .tag = 22, .count = count, .buffer = values));
    expect_unexpected(world, MESSAGE(.function = "MPI_Sendrecv_replace", .line = "replace", .blocking = 1, .peer = from,
                                     .world = from, .tag = 21, .count = count));
    expect_call("MPI_Sendrecv_replace", "replace");
    expect_ready();
    MPI_Sendrecv_replace(values, count, MPI_INT, to, 21, from, 22, MPI_COMM_WORLD, &status); /* LINE(replace) */
    MPI_Finalize();
    return 0;
}
