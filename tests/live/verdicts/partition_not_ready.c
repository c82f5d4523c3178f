/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication; the loop that marks the partitions as ready leaves out the last one.
 *
 * EXPECT no-match ranks 0 culprits 0 lines start
 * RANKS 2
 * NEEDS MPI_Psend_init
 * CHECK openmpi
 */
#include <mpi.h>

enum { partitions = 4, per_partition = 16 };

int main(int argc, char **argv)
{
    int rank;
    double values[partitions * per_partition] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(values, partitions, per_partition, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request); /* LINE(start) */
        for (int partition = 0; partition < partitions - 1; partition++) {
            MPI_Pready(partition, request);
        }
    } else {
        MPI_Precv_init(values, partitions, per_partition, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
