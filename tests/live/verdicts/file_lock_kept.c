/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 keeps the lock of a file in a barrier; rank 2 wants it before its own.
 *
 * EXPECT waiting-for-rank ranks 0-2 culprits 2 lines barrier,lock
 * SAYS (held by rank 0)
 * SAYS ; it cannot go on: rank 0, which has the lock, waits for it
 * OPTIONS --patience 1
 * WITHOUT cores
 * RANKS 3
 * CHECK mpich
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* The name goes from rank 0 to the others; the file is removed once all have opened it. */
static int open_file(int rank)
{
    char name[] = "/tmp/mpilens-lock-XXXXXX";
    int file = rank == 0 ? mkstemp(name) : -1;
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank != 0) {
        file = open(name, O_RDWR | O_CLOEXEC);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(name);
    }
    return file;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int file = open_file(rank);
    if (rank == 0) {
        flock(file, LOCK_EX);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        flock(file, LOCK_EX); /* LINE(lock) */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    close(file);
    MPI_Finalize();
    return 0;
}
