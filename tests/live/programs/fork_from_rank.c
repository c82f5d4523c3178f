/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: with a receive pending, every rank has used system and popen and has a living child by fork, which is no rank.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#define _GNU_SOURCE
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void use_children(void)
{
    char line[16];
    if (system("true") != 0) {
        abort();
    }
    FILE *echo = popen("echo text", "r");
    if (echo == NULL || fgets(line, sizeof line, echo) == NULL || pclose(echo) != 0) {
        abort();
    }
    if (fork() == 0) {
        alarm(1200);
        expect_pause();
    }
}

int main(int argc, char **argv)
{
    int value, first;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Irecv(&first, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request); /* LINE(irecv) */
    use_children();
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .peer = other, .world = other, .tag = 1,
                                  .count = 1, .buffer = &first, .request = &request));
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 2, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
