/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: sends and receives with MPI_PROC_NULL stand in the same MPI_Waitall as a real receive and are not shown.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[4] = {0};
    MPI_Request requests[6];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Send(values, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Isend(values, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(values, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]);
    requests[2] = MPI_REQUEST_NULL;
    MPI_Irecv(values, 4, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[3]); /* LINE(irecv) */
    MPI_Irecv(values, 4, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[4]);
    MPI_Recv_init(values, 4, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[5]);
    MPI_Start(&requests[5]);
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 1, .peer = other, .world = other,
                                  .tag = 2, .count = 4, .buffer = values, .request = &requests[3]));
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
