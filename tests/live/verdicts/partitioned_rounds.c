/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication: the sender starts once more than the receiver, which goes on to the barrier.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines wait,barrier
 * SAYS all partitions of the send are ready
 * RANKS 3
 * NEEDS MPI_Psend_init
 * CHECK mpich
 */
#include <mpi.h>

enum { partitions = 4, per_partition = 65536, receives = 4 };

static double values[partitions * per_partition];

static void send_parts(void)
{
    MPI_Request request;
    MPI_Psend_init(values, partitions, per_partition, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i <= receives; i++) {
        MPI_Start(&request);
        for (int partition = 0; partition < partitions; partition++) {
            MPI_Pready(partition, request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    }
    MPI_Request_free(&request);
}

static void receive_parts(void)
{
    MPI_Request request;
    MPI_Precv_init(values, partitions, per_partition, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < receives; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        send_parts();
    }
    if (rank == 1) {
        receive_parts();
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
