/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: five small messages were sent, the third received by a wildcard tag of its own, four are left in order.
 *
 * RANKS 2
 * CHECK mpich openmpi, all forms
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[8] = {0};
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    if (rank == 0) {
        for (int i = 0; i < 5; i++) {
            MPI_Send(values, i, MPI_INT, 1, 50 - i, MPI_COMM_WORLD); /* LINE(send) */
        }
    } else {
        MPI_Recv(values, 8, MPI_INT, MPI_ANY_SOURCE, 48, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 5; i++) {
            if (i != 2) {
                expect_unexpected(world, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = 0,
                                                 .tag = 50 - i, .count = i));
            }
        }
    }
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 60, .count = 8, .buffer = values));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(values, 8, MPI_INT, other, 60, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
