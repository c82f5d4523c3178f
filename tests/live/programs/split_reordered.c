/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Comm_split in reverse order of ranks; every rank receives from its right neighbour there.
 *
 * RANKS 6
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    expect_world();
    struct expected_communicator *part =
        expect_communicator(half, rank % 2 ? "odd" : "even", NULL, "MPI_Comm_split of MPI_COMM_WORLD");
    /* of six: {4, 2, 0} and {5, 3, 1} */
    int local = (6 - 1 - rank) / 2;
    int peer = (local + 1) % 3;
    int world = rank % 2 + 2 * (2 - peer);
    expect_receive(part, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = peer,
                                 .world = world, .tag = rank, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, peer, rank, half, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
