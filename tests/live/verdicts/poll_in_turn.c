/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both ranks look in turn for the other's message, with the tag of an answer, and whether their own has arrived, which
 * needs the other to receive it.
 *
 * EXPECT tag-mismatch ranks 0,1 culprits 0,1 lines issend,iprobe,test
 * RANKS 2
 * CHECK mpich
 */
#include <mpi.h>

enum { tag_question = 5, tag_answer = 6 };

int main(int argc, char **argv)
{
    int rank;
    int there = 0;
    int arrived = 0;
    int given = 1;
    int taken;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Issend(&given, 1, MPI_INT, 1 - rank, tag_question, MPI_COMM_WORLD, &request); /* LINE(issend) */
    while (!there || !arrived) {
        if (!there) {
            MPI_Iprobe(1 - rank, tag_answer, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* LINE(iprobe) */
            if (there) {
                MPI_Recv(&taken, 1, MPI_INT, 1 - rank, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        }
        MPI_Test(&request, &arrived, MPI_STATUS_IGNORE); /* LINE(test) */
    }
    MPI_Finalize();
    return 0;
}
