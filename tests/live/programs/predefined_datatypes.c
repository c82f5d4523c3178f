/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: pending receives of predefined datatypes, pair types among them.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

static double values[64];

int main(int argc, char **argv)
{
    MPI_Request requests[8];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    const MPI_Datatype types[] = {
        MPI_FLOAT, MPI_UNSIGNED_LONG_LONG, MPI_INT8_T, MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_INT, MPI_2INT, MPI_PACKED,
        MPI_WCHAR};
    const char *names[] = {"MPI_FLOAT",      "MPI_UNSIGNED_LONG_LONG",
                           "MPI_INT8_T",     "MPI_C_DOUBLE_COMPLEX",
                           "MPI_DOUBLE_INT", "MPI_2INT",
                           "MPI_PACKED",     "MPI_WCHAR"};
    const int sizes[] = {4, 8, 1, 16, 12, 8, 1, 4};
    for (int i = 0; i < 8; i++) {
        MPI_Irecv(values, 3, types[i], other, i, MPI_COMM_WORLD, &requests[i]); /* LINE(irecv) */
        expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 1, .peer = other,
                                      .world = other, .tag = i, .count = 3, .bytes = 3L * sizes[i],
                                      .datatype = names[i], .buffer = values, .request = &requests[i]));
    }
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
