/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: one pending send of every mode; rank 1 has posted the receive of the ready send and never calls MPI again.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

#include <stdlib.h>

enum { count = 1 << 20 };

static int values[5][count];

int main(int argc, char **argv)
{
    int space = count * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    expect_collective(world, "barrier", 1, 0);
    if (rank == 1) {
        MPI_Irecv(values[0], count, MPI_INT, 0, 100, MPI_COMM_WORLD, &requests[0]); /* LINE(irecv) */
        expect_receive(world,
                       MESSAGE(.function = "MPI_Irecv", .line = "irecv", .status = "pending|matched", .peer = 0,
                               .world = 0, .tag = 100, .count = count, .buffer = values[0], .request = &requests[0]));
        const char *functions[] = {"MPI_Issend", "MPI_Ibsend", "MPI_Isend", "MPI_Ssend"};
        const char *lines[] = {"issend", "ibsend", "isend", "ssend"};
        const char *modes[] = {"synchronous", "buffered", "standard", "synchronous"};
        for (int i = 0; i < 4; i++) {
            expect_unexpected(world,
                              MESSAGE(.function = functions[i], .line = lines[i], .mode = modes[i], .blocking = i == 3,
                                      .peer = 0, .world = 0, .tag = 101 + i, .count = count));
        }
        MPI_Barrier(MPI_COMM_WORLD);
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Buffer_attach(malloc((size_t)space), space);
    MPI_Irsend(values[0], count, MPI_INT, 1, 100, MPI_COMM_WORLD, &requests[0]); /* LINE(irsend) */
    MPI_Issend(values[1], count, MPI_INT, 1, 101, MPI_COMM_WORLD, &requests[1]); /* LINE(issend) */
    MPI_Ibsend(values[2], count, MPI_INT, 1, 102, MPI_COMM_WORLD, &requests[2]); /* LINE(ibsend) */
    MPI_Isend(values[3], count, MPI_INT, 1, 103, MPI_COMM_WORLD, &requests[3]);  /* LINE(isend) */
    expect_send(world, MESSAGE(.function = "MPI_Irsend", .line = "irsend", .mode = "ready", .peer = 1, .world = 1,
                               .tag = 100, .count = count, .buffer = values[0], .request = &requests[0]));
    expect_send(world, MESSAGE(.function = "MPI_Issend", .line = "issend", .mode = "synchronous", .peer = 1, .world = 1,
                               .tag = 101, .count = count, .buffer = values[1], .request = &requests[1]));
    expect_send(world, MESSAGE(.function = "MPI_Ibsend", .line = "ibsend", .mode = "buffered",
                               .status = "complete|pending", .peer = 1, .world = 1, .tag = 102, .count = count,
                               .buffer = values[2], .request = &requests[2]));
    expect_send(world, MESSAGE(.function = "MPI_Isend", .line = "isend", .peer = 1, .world = 1, .tag = 103,
                               .count = count, .buffer = values[3], .request = &requests[3]));
    expect_send(world, MESSAGE(.function = "MPI_Ssend", .line = "ssend", .mode = "synchronous", .blocking = 1,
                               .awaited = 1, .peer = 1, .world = 1, .tag = 104, .count = count, .buffer = values[4]));
    expect_call("MPI_Ssend", "ssend");
    expect_ready();
    MPI_Ssend(values[4], count, MPI_INT, 1, 104, MPI_COMM_WORLD); /* LINE(ssend) */
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
