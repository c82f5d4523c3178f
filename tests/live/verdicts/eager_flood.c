/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Three ranks send thousands of small messages each, as fast as they can, before rank 0 takes them all; then again.
 *
 * EXPECT none
 * RANKS 4
 * CHECK mpich openmpi
 */
#include "program.h"

#include <mpi.h>

enum { burst = 3000 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    int last = 0;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (!last) {
        if (rank == 0) {
            last = told_to_end();
            compute(50);
            for (int number = 0; number < burst * (size - 1); number++) {
                MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        } else {
            for (int number = 0; number < burst; number++) {
                MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            }
        }
        MPI_Bcast(&last, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
