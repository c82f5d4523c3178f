/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: on a ring of four, all but rank 2 are in a neighborhood collective and have begun a nonblocking one before it.
 *
 * RANKS 4
 * CHECK mpich openmpi
 * UNPREPARED openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int out[2] = {0};
    int in[2];
    MPI_Request request;
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){4}, (int[]){1}, 0, &ring);
    expect_world();
    struct expected_communicator *expected =
        expect_communicator(ring, "ring", NULL, "MPI_Cart_create of MPI_COMM_WORLD");
    if (rank == 2) {
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring, &request); /* LINE(alltoall) */
    expect_collective(expected, "neighbor_alltoall", 1, 1);
    expect_request(REQUEST(.request_class = "collective", .function = "MPI_Ineighbor_alltoall", .line = "alltoall",
                           .collective = 1, .datatype = "MPI_INT", .count = 1, .buffer = in, .communicator = &ring,
                           .request = &request));
    if (rank == 0) {
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    expect_collective(expected, "neighbor_allgather", 1, 1);
    expect_call("MPI_Neighbor_allgather", "allgather");
    expect_ready();
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring); /* LINE(allgather) */
    MPI_Finalize();
    return 0;
}
