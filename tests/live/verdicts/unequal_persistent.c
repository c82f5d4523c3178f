/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 2 expects nothing of rank 1 in an exchange that is started again and again, and rank 1 gives it much.
 *
 * EXPECT collective-mismatch ranks 1,2 culprits 1,2 lines init|start|wait
 * SAYS rank 1 gives rank 2 1600000 bytes
 * SAYS and rank 2 expects nothing
 * RANKS 3
 * OPTIONS --patience 1
 * CHECK mpich
 */
#include <mpi.h>
#include <stdlib.h>
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define MPI_Alltoallv_init MPIX_Alltoallv_init
#endif

enum { AMOUNT = 400000 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int given[3] = {AMOUNT, AMOUNT, AMOUNT}, expected[3] = {AMOUNT, rank == 2 ? 0 : AMOUNT, AMOUNT};
    int places[3] = {0, AMOUNT, 2 * AMOUNT};
    int *out = calloc(3 * AMOUNT, sizeof *out), *in = calloc(3 * AMOUNT, sizeof *in);
    MPI_Alltoallv_init(out, given, places, MPI_INT, in, expected, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);          /* LINE(init) */
    MPI_Start(&request);                   /* LINE(start) */
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
