/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 opens the file by a link of another name, which is no mistake: rank 2 leaves out the barrier.
 *
 * EXPECT collective-missing|waiting-for-rank ranks 0-2 culprits 2 lines barrier,finalize
 * RANKS 3
 * CHECK openmpi
 */
#define _POSIX_C_SOURCE 200809L

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    char name[4096], alias[4096];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/records", directory != NULL ? directory : ".");
    snprintf(alias, sizeof alias, "%s/link-%ld", directory != NULL ? directory : ".", (long)getpid());
    if (rank == 1 && symlink("records", alias) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_File_open(MPI_COMM_WORLD, rank == 1 ? alias : name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (rank == 1)
        unlink(alias);
    if (rank != 2)
        MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();                  /* LINE(finalize) */
    return 0;
}
