/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Workers send two results each and end; the last one of rank 3 has a tag that rank 0, which takes results of any rank,
 * does not ask for.
 *
 * EXPECT tag-mismatch ranks 0,3 culprits 0,3 lines receive,last
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { results = 2, tag_result = 5, tag_last = 6 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    double value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 0; i < results * (size - 1); i++) {
            MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, tag_result, MPI_COMM_WORLD, /* LINE(receive) */
                     MPI_STATUS_IGNORE);
        }
    } else if (rank < size - 1) {
        for (int i = 0; i < results; i++) {
            MPI_Send(&value, 1, MPI_DOUBLE, 0, tag_result, MPI_COMM_WORLD);
        }
    } else {
        MPI_Send(&value, 1, MPI_DOUBLE, 0, tag_result, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_DOUBLE, 0, tag_last, MPI_COMM_WORLD); /* LINE(last) */
    }
    MPI_Finalize();
    return 0;
}
