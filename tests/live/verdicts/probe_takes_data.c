/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes are probed with any tag and received by what the probe says, before data of another tag. Rank 1 is fast: its
 * data is taken for a size, and rank 0 then waits for it, while the size of rank 2 lies there.
 *
 * EXPECT no-match ranks 0,1 culprits 0 lines taken,data
 * SAYS left the one from rank 2
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

enum { size_tag = 1, data_tag = 2, go_tag = 3 };

static void receive_size(void)
{
    int size;
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(&size, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(taken) */
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        receive_size();
        receive_size();
        MPI_Send(&value, 1, MPI_INT, 2, go_tag, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, data_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(data) */
    } else {
        if (rank == 2) {
            MPI_Recv(&value, 1, MPI_INT, 0, go_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Send(&value, 1, MPI_INT, 0, size_tag, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, data_tag, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
