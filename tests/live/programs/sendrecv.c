/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Sendrecv sends 4 MiB with one tag and receives with another.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED openmpi
 */
#include "expect.h"

enum { bytes = 4 << 20 };

static char sent[bytes];

int main(int argc, char **argv)
{
    int got[3];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    expect_send(world, MESSAGE(.function = "MPI_Sendrecv", .line = "sendrecv", .blocking = 1, .awaited = 1,
                               .peer = other, .world = other, .tag = 1, .count = bytes, .bytes = bytes,
                               .datatype = "MPI_CHAR", .buffer = sent));
    expect_unexpected(world, MESSAGE(.function = "MPI_Sendrecv", .line = "sendrecv", .blocking = 1, .peer = other,
                                     .world = other, .tag = 1, .count = bytes, .bytes = bytes, .datatype = "MPI_CHAR"));
    expect_receive(world, MESSAGE(.function = "MPI_Sendrecv", .line = "sendrecv", .blocking = 1, .awaited = 1,
                                  .peer = MPI_ANY_SOURCE, .tag = 2, .count = 3, .buffer = got));
    expect_call("MPI_Sendrecv", "sendrecv");
    expect_ready();
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Status status;
    const int any = MPI_ANY_SOURCE;
    MPI_Sendrecv(sent, bytes, MPI_CHAR, other, 1, got, 3, MPI_INT, any, 2, comm, &status); /* LINE(sendrecv) */
    MPI_Finalize();
    return 0;
}
