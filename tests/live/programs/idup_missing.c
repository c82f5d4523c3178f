/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: ranks 0 and 2 duplicate a communicator without blocking, rank 1 does not.
 *
 * RANKS 3
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Comm duplicate;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    expect_world();
    if (rank == 1) {
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    MPI_Comm_idup(comm, &duplicate, &request); /* LINE(idup) */
    expect_communicator_in_making(duplicate, "duplicate", "MPI_Comm_idup of MPI_COMM_WORLD", rank, 3);
    expect_request(REQUEST(.request_class = "communicator", .function = "MPI_Comm_idup", .line = "idup",
                           .collective = 1, .communicator = &comm, .object = &duplicate,
                           .object_bytes = sizeof duplicate, .request = &request, .awaited = 1));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
