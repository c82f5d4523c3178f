/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 synchronizes the file one time less and closes it, which Open MPI takes for the last synchronization of the
 * others. It has opened and closed many others since.
 *
 * EXPECT collective-missing ranks 0-2 culprits 0 lines close,barrier
 * SAYS rank 0, which has closed it after 6 collective calls by MPI_File_close
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
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    char name[4096], own_name[4096];
    MPI_File file, own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/records", directory != NULL ? directory : ".");
    snprintf(own_name, sizeof own_name, "%s/own-%d", directory != NULL ? directory : ".", rank);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < (rank == 0 ? 6 : 7); i++)
        MPI_File_sync(file);
    MPI_File_close(&file); /* LINE(close) */
    for (int i = 0; i < 150; i++) {
        MPI_File_open(MPI_COMM_SELF, own_name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &own);
        MPI_File_close(&own);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
