/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two rows of ranks, each with a communicator of its own that is made anew for every step; the second row makes more
 * broadcasts, and is slow.
 *
 * EXPECT none
 * RANKS 4
 * CHECK mpich openmpi
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, last = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (!last) {
        MPI_Comm row;
        MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
        for (int i = 0; i < (rank < 2 ? 10 : 40); i++)
            MPI_Bcast(&value, 1, MPI_INT, i % 2, row);
        compute(rank < 2 ? 0 : 200);
        MPI_Comm_free(&row);
        int end_here = told_to_end();
        MPI_Allreduce(&end_here, &last, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
