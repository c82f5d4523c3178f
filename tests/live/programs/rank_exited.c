/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 1 has left without MPI_Finalize and without MPI_Abort; the others receive from it.
 *
 * RANKS 3
 * LAUNCHER mpich -disable-auto-cleanup
 * LAUNCHER openmpi --enable-recovery
 * CHECK mpich openmpi
 */
#include "expect.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    int value;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 1,
                                  .world = 1, .tag = 1, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    if (rank == 1) {
        expect_state("exited");
    }
    expect_ready();
    if (rank == 1) {
        _exit(0);
    }
    MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
