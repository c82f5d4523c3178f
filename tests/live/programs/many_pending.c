/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: 100,000 receives pending per rank, so that reading them takes a while.
 */
#include "expect.h"

enum { receives = 100000 };

static int values[receives];
static MPI_Request requests[receives];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    for (int i = 0; i < receives; i++) {
        MPI_Irecv(&values[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    }
    expect_ready();
    MPI_Waitall(receives, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
