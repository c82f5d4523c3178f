/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 gives a file another size. MPI tells it so, and it goes on without looking at that.
 *
 * EXPECT collective-mismatch ranks 0-2 culprits 1 lines size
 * SAYS rank 1 (1 of 3 ranks) calls MPI_File_set_size with size 4096
 * SAYS where the others call it with size 8192
 * RANKS 3
 * CHECK openmpi
 * ONLY openmpi
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    char name[4096];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/sizes", getenv("MPILENS_LIVE_DIRECTORY"));
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, rank == 1 ? 4096 : 8192); /* LINE(size) */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
