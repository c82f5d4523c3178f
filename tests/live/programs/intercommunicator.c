/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: receives over an intercommunicator between {0} and {1, 2, 3}, whose members stand in reverse order.
 *
 * RANKS 4
 * CHECK mpich openmpi, all forms
 * UNPREPARED openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Comm part;
    MPI_Comm between;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, -rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 3, 99, &between);
    expect_world();
    struct expected_communicator *own =
        expect_communicator(part, rank > 0 ? "three" : "one", NULL, "MPI_Comm_split of MPI_COMM_WORLD");
    struct expected_communicator *inter = expect_communicator(between, "between", NULL, "MPI_Intercomm_create of *");
    (void)own;
    /* {0} sees remote ranks 0, 1, 2 = world 3, 2, 1; the others see remote rank 0 = world 0 */
    int peer = rank == 0 ? 2 : 0;
    int world = rank == 0 ? 1 : 0;
    if (rank == 3) {
        MPI_Send(&value, 1, MPI_INT, 0, 5, between); /* LINE(send) */
    }
    if (rank == 0) {
        expect_unexpected(inter, MESSAGE(.function = "MPI_Send", .line = "send", .blocking = 1, .peer = 0, .world = 3,
                                         .tag = 5, .count = 1));
    }
    expect_receive(inter, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = peer,
                                  .world = world, .tag = 6, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, peer, 6, between, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
