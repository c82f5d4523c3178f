/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 has posted its receive with another tag, and freed the request: nobody waits for it. The large send waits for
 * ever.
 *
 * EXPECT tag-mismatch ranks 0,1 culprits 0,1 lines send,receive
 * RANKS 2
 * CHECK openmpi
 */
#include <mpi.h>
#include <stdlib.h>

enum { values = 1000000 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    int *buffer = calloc(values, sizeof *buffer);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(buffer, values, MPI_INT, 1, 10, MPI_COMM_WORLD, &request); /* LINE(send) */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(buffer, values, MPI_INT, 0, 11, MPI_COMM_WORLD, &request); /* LINE(receive) */
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    free(buffer);
    return 0;
}
