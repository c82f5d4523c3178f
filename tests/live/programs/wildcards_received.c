/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: two of three small messages were received with both wildcards and the status ignored; the third is left.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[4] = {0};
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Comm comm = MPI_COMM_WORLD;
    struct expected_communicator *world = expect_world();
    int source = MPI_ANY_SOURCE;
    if (rank == 0) {
        for (int i = 1; i <= 3; i++) {
            MPI_Send(values, i, MPI_INT, 1, i, comm); /* LINE(send) */
        }
    } else {
        MPI_Recv(values, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        MPI_Recv(values, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        expect_unexpected(
            world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = 0, .tag = 3, .count = 3));
    }
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = source,
                                  .tag = 4, .count = 4, .buffer = values));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(values, 4, MPI_INT, source, 4, comm, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
