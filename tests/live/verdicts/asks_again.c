/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Correct: rank 1 finds out by the error that a message is longer than its array, and asks for it again with more room,
 * round after round. Rank 0 computes before it sends it again, rank 2 waits in the barrier for the end.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

enum { room = 4, length = 20, tag_values = 1, tag_again = 2 };

static void answer(int *values)
{
    int go_on = 1;
    while (go_on != 0) {
        go_on = !told_to_end();
        values[0] = go_on;
        MPI_Send(values, length, MPI_INT, 1, tag_values, MPI_COMM_WORLD);
        MPI_Recv(MPI_BOTTOM, 0, MPI_INT, 1, tag_again, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        compute(300);
        MPI_Send(values, length, MPI_INT, 1, tag_values, MPI_COMM_WORLD);
    }
}

static void ask(int *values)
{
    int go_on = 1;
    while (go_on != 0) {
        int error = MPI_Recv(values, room, MPI_INT, 0, tag_values, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        MPI_Send(MPI_BOTTOM, 0, MPI_INT, 0, tag_again, MPI_COMM_WORLD);
        MPI_Recv(values, length, MPI_INT, 0, tag_values, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        go_on = values[0];
    }
}

int main(int argc, char **argv)
{
    int rank;
    int values[length] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        answer(values);
    } else if (rank == 1) {
        ask(values);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
