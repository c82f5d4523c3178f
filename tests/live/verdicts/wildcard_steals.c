/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two workers send results, and rank 1 its statistics last. The loop over the results takes any source and tag and is
 * one too long: it takes the statistics too, and rank 0 then waits for them.
 *
 * EXPECT no-match ranks 0,1 culprits 0 lines any,statistics
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

enum { results = 2, tag_result = 1, tag_statistics = 2 };

int main(int argc, char **argv)
{
    int rank;
    double value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int number = 0; number <= results; number++) {
            MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, /* LINE(any) */
                     MPI_STATUS_IGNORE);
        }
        MPI_Recv(&value, 1, MPI_DOUBLE, 1, tag_statistics, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(statistics) */
    } else {
        MPI_Send(&value, 1, MPI_DOUBLE, 0, tag_result, MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Send(&value, 1, MPI_DOUBLE, 0, tag_statistics, MPI_COMM_WORLD);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
