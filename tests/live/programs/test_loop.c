/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 calls MPI_Test for ever, rank 1 MPI_Testall.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[2];
    int done = 0;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]); /* LINE(irecv) */
        expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = rank == 1 ? -1 : i == 0,
                                      .peer = other, .world = other, .tag = i, .count = 1, .buffer = &values[i],
                                      .request = &requests[i]));
    }
    expect_polling(rank == 0 ? "MPI_Test" : "MPI_Testall", rank == 0 ? "test" : "testall");
    expect_ready();
    while (!done) {
        if (rank == 0) {
            MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE); /* LINE(test) */
        } else {
            MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE); /* LINE(testall) */
        }
    }
    MPI_Finalize();
    return 0;
}
