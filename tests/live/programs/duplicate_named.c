/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a named duplicate of MPI_COMM_WORLD and a duplicate of that.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Comm solver;
    MPI_Comm inner;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &solver);
    MPI_Comm_set_name(solver, "solver");
    MPI_Comm_dup(solver, &inner);
    MPI_Comm_set_name(inner, "first name");
    MPI_Comm_set_name(inner, "solver: \"inner\"");
    expect_world();
    expect_communicator(solver, "solver", "solver", "MPI_Comm_dup of MPI_COMM_WORLD");
    struct expected_communicator *last =
        expect_communicator(inner, "inner", "solver: \\\"inner\\\"", "MPI_Comm_dup of solver");
    expect_receive(last, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                 .world = other, .tag = 0, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, other, 0, inner, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
