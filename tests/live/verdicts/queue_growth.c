/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 reports every step to rank 1, which takes none of the reports: it waits for the message that ends the run.
 *
 * EXPECT queue-growth ranks 0,1 culprits 1 lines report
 * RANKS 2
 * WITHOUT cores
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

enum { tag_report = 3, tag_end = 4, at_once = 12000, pause_milliseconds = 1 };

int main(int argc, char **argv)
{
    int rank;
    int step = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!told_to_end()) {
            MPI_Send(&step, 1, MPI_INT, 1, tag_report, MPI_COMM_WORLD); /* LINE(report) */
            step++;
            compute(step > at_once ? pause_milliseconds : 0);
        }
        MPI_Send(&step, 1, MPI_INT, 1, tag_end, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&step, 1, MPI_INT, 0, tag_end, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
