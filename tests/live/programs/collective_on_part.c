/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: even ranks but one are in MPI_Allgather of their communicator, odd ranks in MPI_Barrier of MPI_COMM_WORLD.
 *
 * RANKS 4
 * CHECK mpich openmpi, all forms
 * UNPREPARED mpich
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[8] = {0};
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Comm_set_name(half, rank % 2 ? "odd" : "even");
    struct expected_communicator *world = expect_world();
    struct expected_communicator *part = expect_communicator(half, rank % 2 ? "odd" : "even", rank % 2 ? "odd" : "even",
                                                             "MPI_Comm_split of MPI_COMM_WORLD");
    if (rank == 0) {
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 3,
                                      .world = 3, .tag = 1, .count = 1, .buffer = values));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(values, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    } else if (rank == 2) {
        expect_collective(part, "allgather", 1, 1);
        expect_call("MPI_Allgather", "allgather");
        expect_ready();
        MPI_Allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, half); /* LINE(allgather) */
    } else {
        expect_collective(world, "barrier", 1, 1);
        expect_call("MPI_Barrier", "barrier");
        expect_ready();
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
