/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Isendrecv and MPI_Isendrecv_replace, each one request for a send and a receive.
 *
 * RANKS 2
 * NEEDS MPI_Isendrecv
 * CHECK mpich openmpi
 */
#include "expect.h"

enum { count = 1 << 20 };

static int sent[count], replaced[count];

int main(int argc, char **argv)
{
    int got;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    MPI_Comm comm = MPI_COMM_WORLD;
    struct expected_communicator *world = expect_world();
    MPI_Isendrecv(sent, count, MPI_INT, other, 1, &got, 1, MPI_INT, other, 2, comm, &requests[0]); /* LINE(two) */
    MPI_Isendrecv_replace(replaced, count, MPI_INT, other, 3, other, 4, comm, &requests[1]);       /* LINE(one) */
    expect_send(world, MESSAGE(.function = "MPI_Isendrecv", .line = "two", .awaited = 1, .peer = other, .world = other,
                               .tag = 1, .count = count, .buffer = sent, .request = &requests[0]));
    expect_receive(world, MESSAGE(.function = "MPI_Isendrecv", .line = "two", .awaited = 1, .peer = other,
                                  .world = other, .tag = 2, .count = 1, .buffer = &got, .request = &requests[0]));
    expect_send(world, MESSAGE(.function = "MPI_Isendrecv_replace", .line = "one", .awaited = 1, .peer = other,
                               .world = other, .tag = 3, .count = count, .buffer = replaced, .request = &requests[1]));
    expect_receive(world,
                   MESSAGE(.function = "MPI_Isendrecv_replace", .line = "one", .awaited = 1, .peer = other,
                           .world = other, .tag = 4, .count = count, .buffer = replaced, .request = &requests[1]));
    expect_unexpected(world, MESSAGE(.function = "MPI_Isendrecv", .line = "two", .peer = other, .world = other,
                                     .tag = 1, .count = count));
    expect_unexpected(world, MESSAGE(.function = "MPI_Isendrecv_replace", .line = "one", .peer = other, .world = other,
                                     .tag = 3, .count = count));
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
