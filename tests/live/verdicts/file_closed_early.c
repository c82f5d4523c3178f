/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 takes the last record for a trailer that only the others have, and closes the file.
 *
 * EXPECT collective-mismatch ranks 0-2 culprits 0 lines write,close
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    char name[4096];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/records", directory != NULL ? directory : ".");
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank > 0) {
        MPI_File_write_at_all(file, (3 + rank) * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, /* LINE(write) */
                              MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file); /* LINE(close) */
    MPI_Finalize();
    return 0;
}
