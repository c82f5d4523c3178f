/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Updates of a table go to ranks that nobody knows before, after a barrier that rank 3 makes twice.
 *
 * EXPECT deadlock ranks 0-3 culprits 3 lines barrier
 * SAYS have rank 3 call MPI_Barrier once
 * RANKS 4
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

enum {
    tag = 2,
    size = 4,
    updates = 100000,
    tick = 20 /* ms, more than one of the clock, within which nobody knows what came first */
};

static double values[updates];
static double got[updates];

static void update(int rank)
{
    MPI_Request receive;
    MPI_Request send;
    int received = 0;
    MPI_Irecv(got, updates, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive);
    for (int step = 1; step < size; step++) {
        int sent = 0;
        MPI_Isend(values, updates, MPI_DOUBLE, (rank + step) % size, tag, MPI_COMM_WORLD, &send);
        while (!sent || received < step) {
            int which;
            int flag;
            MPI_Testany(1, &receive, &which, &flag, MPI_STATUS_IGNORE);
            if (flag && which == 0) {
                received++;
                MPI_Irecv(got, updates, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive);
            }
            if (!sent) {
                MPI_Test(&send, &sent, MPI_STATUS_IGNORE);
            }
        }
    }
    MPI_Cancel(&receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 3; round++) {
        compute(tick);
        for (int i = 0; i < (rank == 3 && round == 2 ? 2 : 1); i++) {
            MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
        }
        compute(tick);
        update(rank);
    }
    MPI_Finalize();
    return 0;
}
