/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 is in MPI_Finalize with a rank that never gets there.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    if (rank == 1) {
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 0,
                                      .world = 0, .tag = 1, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    } else {
        expect_state("finalizing");
        expect_call("MPI_Finalize", "finalize");
        expect_ready();
    }
    MPI_Finalize(); /* LINE(finalize) */
    return 0;
}
