/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Waitsome on two of three pending receives.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[3];
    int done;
    int indices[2];
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]); /* LINE(irecv) */
        expect_receive(world,
                       MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = i > 0, .peer = other,
                               .world = other, .tag = i, .count = 1, .buffer = &values[i], .request = &requests[i]));
    }
    expect_call("MPI_Waitsome", "wait");
    expect_ready();
    MPI_Waitsome(2, requests + 1, &done, indices, MPI_STATUSES_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
