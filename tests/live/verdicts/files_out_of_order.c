/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two files that all write together; rank 1 takes them in the other order.
 *
 * EXPECT collective-missing ranks 0-2 culprits 1 lines write
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static MPI_File open_together(const char *name)
{
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    char path[4096];
    MPI_File file;
    snprintf(path, sizeof path, "%s/%s", directory != NULL ? directory : ".", name);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    return file;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_File files[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    files[0] = open_together("field");
    files[1] = open_together("log");
    for (int i = 0; i < 2; i++) {
        const MPI_Offset place = rank * (MPI_Offset)sizeof rank;
        MPI_File one = files[rank == 1 ? 1 - i : i];
        MPI_File_write_at_all(one, place, &rank, 1, MPI_INT, MPI_STATUS_IGNORE); /* LINE(write) */
    }
    MPI_File_close(&files[0]);
    MPI_File_close(&files[1]);
    MPI_Finalize();
    return 0;
}
