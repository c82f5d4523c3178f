/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: of four persistent requests one receive is started and waited for, one was used before, two never.
 *
 * RANKS 2
 * CHECK mpich openmpi, all forms
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[4] = {0};
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Send_init(&values[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);  /* LINE(send) */
    MPI_Recv_init(&values[1], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);  /* LINE(receive) */
    MPI_Recv_init(&values[2], 1, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[2]);  /* LINE(init) */
    MPI_Ssend_init(&values[3], 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[3]); /* LINE(ssend) */
    MPI_Start(&requests[1]);
    MPI_Send(&values[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Start(&requests[2]); /* LINE(start) */
    const char *functions[] = {"MPI_Send_init", "MPI_Recv_init", NULL, "MPI_Ssend_init"};
    const char *lines[] = {"send", "receive", NULL, "ssend"};
    MPI_Comm comm = MPI_COMM_WORLD;
    for (int i = 0; i < 4; i++) {
        if (functions[i] != NULL) {
            expect_request(REQUEST(.request_class = i == 1 ? "receive" : "send", .function = functions[i],
                                   .line = lines[i], .status = "inactive", .persistent = 1, .datatype = "MPI_INT",
                                   .count = 1, .buffer = &values[i], .communicator = &comm, .request = &requests[i],
                                   .has_peer = 1, .peer = other, .tag = i == 3 ? 3 : 0));
        }
    }
    expect_receive(world,
                   MESSAGE(.function = "MPI_Recv_init", .line = "start", .persistent = 1, .awaited = 1, .peer = other,
                           .world = other, .tag = 2, .count = 1, .buffer = &values[2], .request = &requests[2]));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
