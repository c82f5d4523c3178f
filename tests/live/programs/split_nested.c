/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: pairs made by splitting reversed halves again; MPI_Issend and MPI_Recv inside a pair disagree.
 *
 * RANKS 4
 * CHECK mpich openmpi, all forms
 * UNPREPARED openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[2] = {0};
    MPI_Comm reversed;
    MPI_Comm pair;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    /* reversed: {3, 2, 1, 0}; its ranks 0, 1 and 2, 3: {3, 2} and {1, 0}, each turned round: {2, 3} and {0, 1} */
    MPI_Comm_split(MPI_COMM_WORLD, 7, 4 - rank, &reversed);
    MPI_Comm_set_name(reversed, "reversed");
    MPI_Comm_split(reversed, rank / 2, rank, &pair);
    expect_world();
    expect_communicator(reversed, "reversed", "reversed", "MPI_Comm_split of MPI_COMM_WORLD");
    struct expected_communicator *two =
        expect_communicator(pair, rank / 2 ? "pair 1" : "pair 0", NULL, "MPI_Comm_split of reversed");
    int peer = 1 - rank % 2;
    int world = rank / 2 * 2 + peer;
    MPI_Issend(values, 1, MPI_INT, peer, 1, pair, &request); /* LINE(issend) */
    expect_send(two, MESSAGE(.function = "MPI_Issend", .line = "issend", .mode = "synchronous", .peer = peer,
                             .world = world, .tag = 1, .count = 1, .buffer = values, .request = &request));
    expect_unexpected(two, MESSAGE(.function = "MPI_Issend", .line = "issend", .mode = "synchronous", .peer = peer,
                                   .world = world, .tag = 1, .count = 1));
    expect_receive(two, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = peer,
                                .world = world, .tag = 2, .count = 1, .buffer = &values[1]));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&values[1], 1, MPI_INT, peer, 2, pair, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
