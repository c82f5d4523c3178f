/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that make small collective calls until they are told to end.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char path[4096];
    int size;
    int told = 0, all = 0;
    snprintf(path, sizeof path, "%s/end", getenv("MPILENS_LIVE_DIRECTORY"));
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (!all) {
        told = access(path, F_OK) == 0;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Scan(&told, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Bcast(&all, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
