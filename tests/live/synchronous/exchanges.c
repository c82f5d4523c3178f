/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends and exchanges of every kind that rely on nothing: they give the same with synchronous sends. Rank 0 prints what
 * all ranks have received.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { large = 1 << 18, text_bytes = 4096, rounds = 3, rows = 5, columns = 4 };

static int rank, size, right, left;
static char text[text_bytes];

static void note(const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
}

static void note_status(const char *name, int value, MPI_Status *status)
{
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    note("%s %d of %d, tag %d, %d; ", name, value, status->MPI_SOURCE, status->MPI_TAG, count);
}

static int error_class(int error)
{
    int class;
    MPI_Error_class(error, &class);
    return class;
}

static void exchange(void)
{
    MPI_Status status;
    int taken = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, rank, &taken, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 &status);
    note_status("ring", taken, &status);
    taken = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 7, &taken, 1, MPI_INT,
                 rank > 0 ? rank - 1 : MPI_PROC_NULL, 7, MPI_COMM_WORLD, &status);
    note("chain %d, %d; ", taken, rank == 0 ? status.MPI_SOURCE == MPI_PROC_NULL : status.MPI_SOURCE);
    MPI_Sendrecv(&right, 1, MPI_INT, rank, 1, &taken, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("self %d; ", taken == right);
}

static double sum(const double *values, int count)
{
    double total = 0;
    for (int i = 0; i < count; i++)
        total += values[i] * (i % 7 + 1);
    return total;
}

static void exchange_in_place(void)
{
    MPI_Status status;
    int value = 100 + rank;
    MPI_Sendrecv_replace(&value, 1, MPI_INT, right, 3, left, 3, MPI_COMM_WORLD, &status);
    note_status("replace", value, &status);
    MPI_Sendrecv_replace(&value, 0, MPI_INT, right, 4, left, 4, MPI_COMM_WORLD, &status);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("unchanged %d; ", value);
    double *many = malloc(large * sizeof *many);
    for (int i = 0; i < large; i++)
        many[i] = rank * 1000 + i % 100;
    MPI_Sendrecv_replace(many, large, MPI_DOUBLE, right, 5, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("large %.0f; ", sum(many, large));
    MPI_Datatype column;
    MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double grid[rows * columns];
    for (int i = 0; i < rows * columns; i++)
        grid[i] = rank * 100 + i;
    MPI_Sendrecv_replace(grid + 1, 1, column, right, 6, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("column %.0f; ", sum(grid, rows * columns));
    MPI_Type_free(&column);
    free(many);
}

/* Refused ones send nothing. */
static void fail(void)
{
    int values[2] = {rank, rank}, taken[2] = {-1, -1};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int error =
        MPI_Sendrecv(values, 2, MPI_INT, right, 8, taken, 1, MPI_INT, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("truncated %d; ", error_class(error) == MPI_ERR_TRUNCATE);
    error = MPI_Sendrecv(values, 1, MPI_INT, size, 9, taken, 1, MPI_INT, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("no such rank %d; ", error_class(error) == MPI_ERR_RANK);
    error = MPI_Sendrecv(values, 1, MPI_INT, right, 9, taken, 1, MPI_INT, size, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("no such source %d; ", error_class(error) == MPI_ERR_RANK);
    error = MPI_Sendrecv_replace(values, 1, MPI_INT, size, 9, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("likewise %d; ", error_class(error) == MPI_ERR_RANK);
    error = MPI_Send(values, 1, MPI_INT, size, 9, MPI_COMM_WORLD);
    note("nor for a send %d; ", error_class(error) == MPI_ERR_RANK);
    MPI_Barrier(MPI_COMM_WORLD);
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    note("nothing came %d; ", !flag);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void send(void)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int taken[2] = {-1, -1};
    MPI_Irecv(&taken[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&taken[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Send(&size, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Waitall(3, requests, statuses);
    note("send %d, isend %d; ", taken[0], taken[1]);
    MPI_Irecv(&taken[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&right, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Request_free(&requests[1]);
    for (int done = 0; !done;)
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    note("freed %d; ", taken[0]);
    MPI_Isend(&right, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    int value;
    MPI_Send_init(&value, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&taken[0], 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < rounds; round++) {
        value = 10 * rank + round;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
        note("round %d: %d; ", round, taken[0]);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void exchange_between_groups(void)
{
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 12, &between);
    int taken = -1, value = rank;
    MPI_Status status;
    MPI_Sendrecv(&rank, 1, MPI_INT, rank / 2, 1, &taken, 1, MPI_INT, rank / 2, 1, between, &status);
    note_status("other group", taken, &status);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, rank / 2, 1, rank / 2, 1, between, MPI_STATUS_IGNORE);
    note("in place %d; ", value);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

struct worker {
    MPI_Comm communicator;
    int taken;
};

static void *exchange_in_thread(void *argument)
{
    struct worker *worker = argument;
    for (int i = 0; i < 50; i++)
        MPI_Sendrecv(&rank, 1, MPI_INT, right, i, &worker->taken, 1, MPI_INT, left, i, worker->communicator,
                     MPI_STATUS_IGNORE);
    return NULL;
}

static void exchange_in_threads(void)
{
    struct worker workers[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].communicator);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, exchange_in_thread, &workers[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&workers[i].communicator);
        note("thread %d; ", workers[i].taken);
    }
}

static void use_large_counts(void)
{
#if MPI_VERSION >= 4
    int taken = -1, value = rank;
    MPI_Request request;
    MPI_Sendrecv_c(&rank, 1, MPI_INT, right, 1, &taken, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace_c(&value, 1, MPI_INT, right, 1, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note("counts %d, %d; ", taken, value);
    MPI_Irecv_c(&taken, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
    MPI_Send_c(&right, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isendrecv(&rank, 1, MPI_INT, right, 1, &value, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    note("sent %d, %d; ", taken, value);
#endif
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    exchange();
    exchange_in_place();
    fail();
    send();
    exchange_between_groups();
    if (provided == MPI_THREAD_MULTIPLE)
        exchange_in_threads();
    use_large_counts();
    char *all = calloc((size_t)size, sizeof text);
    MPI_Gather(text, sizeof text, MPI_CHAR, all, sizeof text, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        printf("%d: %s\n", i, all + i * (int)sizeof text);
    free(all);
    MPI_Finalize();
    return 0;
}
