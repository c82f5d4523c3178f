/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both ranks poll for a message of the other, which most of the time is not there, but each also watches a clock and
 * sends when its time has come: they do not wait for each other.
 *
 * EXPECT none
 * WITHOUT synchronous
 * RANKS 2
 * OPTIONS --interval 1
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

static const double period = 0.1;

int main(int argc, char **argv)
{
    int rank;
    int received = 0;
    int sent = 0;
    int value = 0;
    int last = 0;
    int there;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double next = MPI_Wtime();
    while (!last || value == 0) {
        MPI_Iprobe(1 - rank, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (there) {
            MPI_Recv(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            received++;
        }
        if (!last && MPI_Wtime() > next) {
            next += period;
            last = told_to_end();
            MPI_Send(&last, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
            sent++;
        }
    }
    MPI_Finalize();
    return received == 0 || sent == 0;
}
