/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 reports every step to rank 1, which computes and receives none of the reports.
 *
 * EXPECT queue-growth ranks 0,1 culprits 1 lines report
 * RANKS 2
 * WITHOUT cores
 */
#include "program.h"

#include <mpi.h>

enum { at_once = 12000, pause_milliseconds = 1 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; !told_to_end(); step++) {
        if (rank == 1) {
            compute(pause_milliseconds);
            continue;
        }
        MPI_Send(&step, 1, MPI_INT, 1, 3, MPI_COMM_WORLD); /* LINE(report) */
        if (step > at_once) {
            compute(pause_milliseconds);
        }
    }
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 0;
}
