/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shift around a Cartesian ring; rank 2 has exchanged source and destination. The message that rank 1 sent it waits
 * there untaken: evidence, though it could also be meant for later.
 *
 * EXPECT deadlock ranks 2,3 culprits 2,3 lines shift
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    int source;
    int destination;
    double given[16] = {0};
    double taken[16];
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    if (rank == 2) {
        MPI_Cart_shift(ring, 0, 1, &destination, &source);
    } else {
        MPI_Cart_shift(ring, 0, 1, &source, &destination);
    }
    MPI_Sendrecv(given, 16, MPI_DOUBLE, destination, 2, taken, 16, MPI_DOUBLE, source, 2, ring, /* LINE(shift) */
                 MPI_STATUS_IGNORE);
    MPI_Barrier(ring);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
