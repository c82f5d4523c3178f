/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Large nonblocking exchange that is begun before a long computation and waited for after it.
 *
 * EXPECT none
 * RANKS 4
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

enum { count = 1 << 18 };

static double given[count], taken[count];

int main(int argc, char **argv)
{
    int rank;
    int size;
    int end_here;
    int last = 0;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (!last) {
        MPI_Irecv(taken, count, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(given, count, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
        compute(rank == 1 ? 600 : 200);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        end_here = told_to_end();
        MPI_Allreduce(&end_here, &last, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
