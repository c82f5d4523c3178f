/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a receive is pending on a communicator that was freed and whose handle the next duplicate got.
 *
 * RANKS 2
 * CHECK mpich openmpi, all forms
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[2];
    MPI_Comm first;
    MPI_Comm second;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    expect_world();
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_set_name(first, "first");
    struct expected_communicator *old = expect_communicator(first, "first", "first", "MPI_Comm_dup of MPI_COMM_WORLD");
    MPI_Irecv(&values[0], 1, MPI_INT, other, 1, first, &requests[0]); /* LINE(old) */
    MPI_Comm_free(&first);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    MPI_Comm_set_name(second, "second");
    struct expected_communicator *new =
        expect_communicator(second, "second", "second", "MPI_Comm_dup of MPI_COMM_WORLD");
    MPI_Irecv(&values[1], 1, MPI_INT, other, 1, second, &requests[1]); /* LINE(new) */
    expect_receive(old, MESSAGE(.function = "MPI_Irecv", .line = "old", .awaited = 1, .peer = other, .world = other,
                                .tag = 1, .count = 1, .buffer = &values[0], .request = &requests[0]));
    expect_receive(new, MESSAGE(.function = "MPI_Irecv", .line = "new", .awaited = 1, .peer = other, .world = other,
                                .tag = 1, .count = 1, .buffer = &values[1], .request = &requests[1]));
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
