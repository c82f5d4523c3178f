/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: communicators that were freed with nothing pending are not shown; ids of later ones agree all the same.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Comm comm;
    MPI_Comm last;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    for (int i = 0; i < 100; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, i % 3 ? 0 : rank, 0, &comm);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &last);
    expect_world();
    struct expected_communicator *alive = expect_communicator(last, "last", NULL, "MPI_Comm_dup of MPI_COMM_WORLD");
    expect_receive(alive, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 1, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, other, 1, last, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
