/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: an intercommunicator merged into an intracommunicator, and a receive there.
 *
 * RANKS 4
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Comm part;
    MPI_Comm between;
    MPI_Comm merged;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - rank % 2, 99, &between);
    MPI_Comm_set_name(between, "bridge");
    MPI_Intercomm_merge(between, rank % 2 == 0, &merged);
    MPI_Comm_free(&part);
    expect_world();
    expect_communicator(between, "between", "bridge", "MPI_Intercomm_create of *");
    struct expected_communicator *all = expect_communicator(merged, "merged", NULL, "MPI_Intercomm_merge of bridge");
    /* the odd ones come first: {1, 3, 0, 2} */
    int peer = rank == 1 ? 2 : 0;
    int world = rank == 1 ? 0 : 1;
    expect_receive(all, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = peer,
                                .world = world, .tag = 6, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, peer, 6, merged, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
