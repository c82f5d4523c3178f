/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Comm_create_group of {3, 1} inside four ranks; the others are in MPI_Barrier of MPI_COMM_WORLD.
 *
 * RANKS 4
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Group all;
    MPI_Group two;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    if (rank % 2 == 1) {
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_incl(all, 2, (int[]){3, 1}, &two);
        MPI_Comm_create_group(MPI_COMM_WORLD, two, 17, &pair);
        MPI_Group_free(&two);
        MPI_Group_free(&all);
        struct expected_communicator *odd =
            expect_communicator(pair, "pair", NULL, "MPI_Comm_create_group of MPI_COMM_WORLD");
        int peer = rank == 3 ? 1 : 0;
        expect_receive(odd, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = peer,
                                    .world = rank == 3 ? 1 : 3, .tag = 3, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, peer, 3, pair, MPI_STATUS_IGNORE); /* LINE(recv) */
    } else {
        expect_collective(world, "barrier", 1, 1);
        expect_call("MPI_Barrier", "barrier");
        expect_ready();
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
