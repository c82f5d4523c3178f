/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 and 1 in MPI_Comm_dup, which rank 2 does not call.
 *
 * RANKS 3
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    if (rank < 2) {
        expect_call("MPI_Comm_dup", "dup");
        expect_ready();
        MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* LINE(dup) */
    } else {
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 0,
                                      .world = 0, .tag = 1, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    MPI_Finalize();
    return 0;
}
