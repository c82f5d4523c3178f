/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 wants its buffer back, from which a large message to rank 1 has not gone.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

#include <stdlib.h>

enum { count = 1 << 20 };

static int values[count];

int main(int argc, char **argv)
{
    int space = count * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
    void *buffer;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    if (rank == 1) {
        expect_unexpected(world, MESSAGE(.function = "MPI_Bsend", .line = "bsend", .mode = "buffered", .blocking = 1,
                                         .peer = 0, .world = 0, .tag = 1, .count = count));
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    MPI_Buffer_attach(malloc((size_t)space), space);
    MPI_Bsend(values, count, MPI_INT, 1, 1, MPI_COMM_WORLD); /* LINE(bsend) */
    expect_call("MPI_Buffer_detach", "detach");
    expect_ready();
    MPI_Buffer_detach(&buffer, &space); /* LINE(detach) */
    MPI_Finalize();
    return 0;
}
