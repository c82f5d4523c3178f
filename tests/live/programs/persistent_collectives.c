/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a persistent collective that was started, completed and started again, waited for; one that was never started.
 *
 * RANKS 2
 * NEEDS MPI_Barrier_init
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[3] = {0};
    int sums[3];
    MPI_Request barrier;
    MPI_Request allreduce;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    MPI_Barrier_init(comm, MPI_INFO_NULL, &barrier);                                        /* LINE(barrier) */
    MPI_Allreduce_init(values, sums, 3, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &allreduce); /* LINE(allreduce) */
    MPI_Start(&barrier);
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    expect_request(REQUEST(.request_class = "collective", .function = "MPI_Allreduce_init", .line = "allreduce",
                           .status = "inactive", .persistent = 1, .datatype = "MPI_INT", .count = 3, .buffer = values,
                           .communicator = &comm, .request = &allreduce));
    if (rank == 1) {
        expect_collective(world, "barrier", 1, 0);
        expect_request(REQUEST(.request_class = "collective", .function = "MPI_Barrier_init", .line = "barrier",
                               .status = "inactive", .persistent = 1, .communicator = &comm, .request = &barrier));
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    MPI_Start(&barrier); /* LINE(start) */
    expect_collective(world, "barrier", 2, 1);
    expect_request(REQUEST(.request_class = "collective", .function = "MPI_Barrier_init", .line = "start",
                           .persistent = 1, .collective = 2, .communicator = &comm, .request = &barrier, .awaited = 1));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&barrier, MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
