/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: calls that returned an error left nothing behind.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Request request;
    MPI_Comm none;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    struct expected_communicator *world = expect_world();
    if (MPI_Irecv(&value, 1, MPI_INT, 77, 1, MPI_COMM_WORLD, &request) == MPI_SUCCESS ||
        MPI_Send(&value, -1, MPI_INT, other, 1, MPI_COMM_WORLD) == MPI_SUCCESS ||
        MPI_Recv(&value, 1, MPI_DATATYPE_NULL, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS ||
        MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &none) == MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 2, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
