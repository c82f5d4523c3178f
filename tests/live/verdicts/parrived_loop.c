/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 asks for the partitions one by one until each has arrived; rank 0 marks the last one only after the answer of
 * rank 1.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines start,answer,arrived
 * RANKS 2
 * NEEDS MPI_Psend_init
 * CHECK mpich
 */
#include <mpi.h>

enum { partitions = 4, per_partition = 16, tag_values = 1, tag_answer = 2 };

static void send_values(double *values)
{
    int answer;
    MPI_Request request;
    MPI_Psend_init(values, partitions, per_partition, MPI_DOUBLE, 1, tag_values, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &request);
    MPI_Start(&request); /* LINE(start) */
    for (int partition = 0; partition < partitions - 1; partition++) {
        MPI_Pready(partition, request);
    }
    MPI_Recv(&answer, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(answer) */
    MPI_Pready(partitions - 1, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void receive_values(double *values)
{
    int answer = 1;
    MPI_Request request;
    MPI_Precv_init(values, partitions, per_partition, MPI_DOUBLE, 0, tag_values, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &request);
    MPI_Start(&request);
    for (int partition = 0; partition < partitions; partition++) {
        int arrived = 0;
        while (!arrived) {
            MPI_Parrived(request, partition, &arrived); /* LINE(arrived) */
        }
    }
    MPI_Send(&answer, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    int rank;
    double values[partitions * per_partition] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        send_values(values);
    } else {
        receive_values(values);
    }
    MPI_Finalize();
    return 0;
}
