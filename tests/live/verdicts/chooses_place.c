/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each rank chooses by its own data at which line it makes its next sum; all are in step, and rank 2 is slow.
 *
 * EXPECT none
 * RANKS 4
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, sum = 0, last = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsigned seed = (unsigned)rank;
    while (!last) {
        for (int i = 0; i < 50; i++) {
            if (rank > 0 && rand_r(&seed) % 3 == 0)
                MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            else
                MPI_Allreduce(&sum, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
        compute(rank == 2 ? 300 : 0);
        int end_here = told_to_end();
        MPI_Allreduce(&end_here, &last, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
