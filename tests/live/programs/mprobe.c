/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 in MPI_Mprobe; rank 1 holds a matched message that it never receives and waits for another.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Message message;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        expect_probe(0, "MPI_Mprobe", "mprobe", 1, 1, MPI_ANY_TAG);
        expect_ready();
        MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* LINE(mprobe) */
    } else {
        MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* LINE(matched) */
        expect_object(OBJECT("message", message, .function = "MPI_Mprobe", .line = "matched"));
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 0,
                                      .world = 0, .tag = 2, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    MPI_Finalize();
    return 0;
}
