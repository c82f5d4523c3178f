/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: MPI_Pcontrol switches profiling off, on and off again; operations begun and ended meanwhile count as usual.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[3] = {0};
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Irecv(&values[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Pcontrol(0);
    MPI_Irecv(&values[1], 1, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[1]); /* LINE(off) */
    MPI_Send(&values[2], 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Pcontrol(1);
    MPI_Irecv(&values[2], 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[2]); /* LINE(on) */
    MPI_Pcontrol(0);
    const char *lines[] = {NULL, "off", "on"};
    for (int i = 1; i < 3; i++) {
        expect_receive(world,
                       MESSAGE(.function = "MPI_Irecv", .line = lines[i], .awaited = 1, .peer = other, .world = other,
                               .tag = i + 1, .count = 1, .buffer = &values[i], .request = &requests[i]));
    }
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(2, &requests[1], MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
