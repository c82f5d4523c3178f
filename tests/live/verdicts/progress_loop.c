/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks 1 and 2 send each other a result that is received only after the word of rank 0, which computes. Until then
 * both look in turn for that word and whether their result has arrived: of these, only the word can come.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich openmpi, all forms
 */
#include "program.h"

#include <mpi.h>

enum { tag_result = 1, tag_word = 2 };

static int word_is_there(void)
{
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, tag_word, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there;
}

static int has_arrived(MPI_Request *request)
{
    int arrived;
    MPI_Test(request, &arrived, MPI_STATUS_IGNORE);
    return arrived;
}

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    int there = 0;
    int result = 1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!told_to_end()) {
            compute(10);
        }
        MPI_Send(&value, 1, MPI_INT, 1, tag_word, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 2, tag_word, MPI_COMM_WORLD);
    } else {
        MPI_Issend(&result, 1, MPI_INT, 3 - rank, tag_result, MPI_COMM_WORLD, &request);
        while (!there) {
            if (rank == 1) {
                there = word_is_there();
            }
            has_arrived(&request);
            if (rank == 2) {
                there = word_is_there();
            }
        }
        MPI_Recv(&value, 1, MPI_INT, 0, tag_word, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 3 - rank, tag_result, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
