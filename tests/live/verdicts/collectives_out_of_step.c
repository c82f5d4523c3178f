/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking collectives that are waited for in another order than begun, with blocking ones between: legal. Rank 1 is
 * late every time.
 *
 * EXPECT none
 * RANKS 3
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int end_here;
    int last = 0;
    int value = 0;
    double mine = 1;
    double sum;
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (!last) {
        MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
        MPI_Ibcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD, &requests[1]);
        compute(rank == 1 ? 400 : 0);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
        if (rank == 0) {
            MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
        }
        end_here = told_to_end();
        MPI_Allreduce(&end_here, &last, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
