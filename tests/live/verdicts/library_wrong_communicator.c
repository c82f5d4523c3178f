/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library has its own communicator, but one of its sends still uses MPI_COMM_WORLD.
 *
 * EXPECT communicator-mismatch ranks 0,1 culprits 0,1 lines send,recv
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

static MPI_Comm library;

static void library_tell(int to, double value)
{
    MPI_Send(&value, 1, MPI_DOUBLE, to, 20, MPI_COMM_WORLD); /* LINE(send) */
}

static double library_ask(int from)
{
    double value;
    MPI_Recv(&value, 1, MPI_DOUBLE, from, 20, library, MPI_STATUS_IGNORE); /* LINE(recv) */
    return value;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &library);
    MPI_Comm_set_name(library, "library");
    if (rank == 0) {
        library_tell(1, 3.5);
    } else if (rank == 1) {
        library_ask(0);
    }
    MPI_Barrier(library);
    MPI_Comm_free(&library);
    MPI_Finalize();
    return 0;
}
