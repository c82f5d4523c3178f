/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 calls MPI_Iprobe for ever, rank 1 MPI_Improbe; a small message with another tag has come.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int found = 0;
    int value = 0;
    MPI_Message message;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Send(&value, 1, MPI_INT, other, 30, MPI_COMM_WORLD); /* LINE(send) */
    expect_unexpected(world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = other,
                                     .world = other, .tag = 30, .count = 1));
    expect_probe(1, rank == 0 ? "MPI_Iprobe" : "MPI_Improbe", rank == 0 ? "iprobe" : "improbe", other, other, 31);
    expect_ready();
    while (!found) {
        if (rank == 0) {
            MPI_Iprobe(1, 31, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE); /* LINE(iprobe) */
        } else {
            MPI_Improbe(0, 31, MPI_COMM_WORLD, &found, &message, MPI_STATUS_IGNORE); /* LINE(improbe) */
        }
    }
    MPI_Finalize();
    return 0;
}
