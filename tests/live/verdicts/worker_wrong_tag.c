/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every worker has a tag of its own; the master's table of them is wrong for the last one.
 *
 * EXPECT tag-mismatch ranks 0,4 culprits 0,4 lines hand_out,worker
 * RANKS 5
 * CHECK mpich, parts
 */
#include <mpi.h>

enum { workers = 4, tag_result = 50 };

static const int tags[workers + 1] = {0, 11, 12, 13, 13};

int main(int argc, char **argv)
{
    int rank;
    double work = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int worker = 1; worker <= workers; worker++) {
            MPI_Send(&work, 1, MPI_DOUBLE, worker, tags[worker], MPI_COMM_WORLD); /* LINE(hand_out) */
        }
        for (int worker = 1; worker <= workers; worker++) {
            MPI_Recv(&work, 1, MPI_DOUBLE, worker, tag_result, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Recv(&work, 1, MPI_DOUBLE, 0, 10 + rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(worker) */
        work *= rank;
        MPI_Send(&work, 1, MPI_DOUBLE, 0, tag_result, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
