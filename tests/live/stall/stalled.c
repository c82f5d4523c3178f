/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls in which libstalling.so keeps ranks: a reduction, in which it keeps rank 2; a message from rank 0 to rank 1,
 * whose receive it keeps; an epoch in which rank 0 accesses memory of rank 1; an exchange, in which it keeps rank 3; a
 * gather and a collective write to a file, in each of which it keeps all ranks; a flush, in which it keeps rank 0.
 * Between them and afterwards the ranks are busy until they are told to go on.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { REDUCTIONS_BEFORE = 16, WORDS = 1 << 18 };

static int words[WORDS];

static int is_told(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("MPILENS_LIVE_DIRECTORY"), name);
    return access(path, F_OK) == 0;
}

static void be_busy_until(const char *name)
{
    int told = 0, all = 0;
    while (!all) {
        told = is_told(name);
        MPI_Reduce_scatter_block(&told, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_SELF);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Scan(&told, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Bcast(&all, 1, MPI_INT, 3, MPI_COMM_WORLD);
    }
}

static void access_memory(int rank)
{
    MPI_Win window;
    MPI_Group all, other;
    MPI_Win_create(words, sizeof words, sizeof *words, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){rank == 0 ? 1 : 0}, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window); /* LINE(complete) */
    } else if (rank == 1) {
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window); /* LINE(wait) */
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&window);
}

static void write_to_file(int rank)
{
    char path[4096];
    MPI_File file;
    snprintf(path, sizeof path, "%s/written", getenv("MPILENS_LIVE_DIRECTORY"));
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank, &rank, 1, MPI_BYTE, MPI_STATUS_IGNORE); /* LINE(write) */
    MPI_File_close(&file);
}

static void flush_memory(int rank)
{
    MPI_Win window;
    MPI_Win_create(words, sizeof words, sizeof *words, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush_all(window); /* LINE(flush) */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    int rank;
    int one = 1, sum;
    int given[4] = {0};
    int gathered[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < REDUCTIONS_BEFORE; i++) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* LINE(reduce) */
    be_busy_until("message");
    if (rank == 0) {
        MPI_Send(words, WORDS, MPI_INT, 1, 7, MPI_COMM_WORLD); /* LINE(send) */
    } else if (rank == 1) {
        MPI_Recv(words, WORDS, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    access_memory(rank);
    MPI_Alltoall(given, 1, MPI_INT, gathered, 1, MPI_INT, MPI_COMM_WORLD);  /* LINE(exchange) */
    MPI_Allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, MPI_COMM_WORLD); /* LINE(gather) */
    write_to_file(rank);
    flush_memory(rank);
    be_busy_until("end");
    MPI_Finalize();
    return 0;
}
