/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Comm_idup of an intercommunicator that one of its four members does not call.
 *
 * RANKS 4
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Comm half;
    MPI_Comm inter;
    MPI_Comm duplicate;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
    expect_world();
    expect_communicator(half, rank % 2 == 0 ? "even" : "odd", NULL, "MPI_Comm_split of MPI_COMM_WORLD");
    expect_communicator(inter, "inter", NULL, "MPI_Intercomm_create of *");
    if (rank == 3) {
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    MPI_Comm_idup(inter, &duplicate, &request); /* LINE(idup) */
    expect_communicator_in_making(duplicate, "duplicate", "MPI_Comm_idup of *", rank / 2, 2);
    expect_request(REQUEST(.request_class = "communicator", .function = "MPI_Comm_idup", .line = "idup",
                           .collective = 1, .communicator = &inter, .object = &duplicate,
                           .object_bytes = sizeof duplicate, .request = &request, .awaited = 1));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
