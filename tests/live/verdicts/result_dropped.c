/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Master and workers; worker 2 takes its third piece and gives no result for it.
 *
 * EXPECT deadlock ranks 0-4 culprits 0-4 lines result,work,answer
 * RANKS 5
 * CHECK openmpi
 */
#include <mpi.h>

enum { tag_work = 1, tag_result, tag_stop, pieces = 60, pieces_in_advance = 3 };

static void hand_out(int size)
{
    int next = 0;
    double result;
    MPI_Status status;
    for (; next < pieces_in_advance * (size - 1); next++) {
        MPI_Send(&next, 1, MPI_INT, 1 + next % (size - 1), tag_work, MPI_COMM_WORLD);
    }
    for (int done = 0; done < pieces; done++) {
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, tag_result, MPI_COMM_WORLD, &status); /* LINE(result) */
        if (next < pieces) {
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, tag_work, MPI_COMM_WORLD);
            next++;
        }
    }
    for (int worker = 1; worker < size; worker++) {
        MPI_Send(&next, 0, MPI_INT, worker, tag_stop, MPI_COMM_WORLD);
    }
}

static void work_off(int rank)
{
    int piece;
    MPI_Status status;
    for (int number = 0;; number++) {
        MPI_Recv(&piece, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status); /* LINE(work) */
        if (status.MPI_TAG == tag_stop) {
            return;
        }
        double result = piece * 2.0;
        if (rank != 2 || number != 2) {
            MPI_Send(&result, 1, MPI_DOUBLE, 0, tag_result, MPI_COMM_WORLD); /* LINE(answer) */
        }
    }
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        hand_out(size);
    } else {
        work_off(rank);
    }
    MPI_Finalize();
    return 0;
}
