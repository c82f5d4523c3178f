/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks the process's own table of unexpected messages: table. Rank 1 sends to rank 0, which waits until the runtime
 * has them in its table, compares them with what was sent, and receives them. Without the runtime's exact mode it only
 * receives. Prints the received values.
 */
#define _GNU_SOURCE
#include "unexpected_table.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { messages = 40, most_rounds = 2000 };

static const struct mpilens_process *process;
static int rank, sums[2];

/* Its source, tag and bytes must be those that were sent. */
static void check_record(const struct mpilens_unexpected *record)
{
    if (record->source != 1 || record->bytes != (uint64_t)record->tag * sizeof(int))
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static int table_count(uint32_t state)
{
    return unexpected_count(process, state, check_record);
}

static void wait_for_table(int wanted)
{
    const struct timespec time = {0, 5000000};
    for (int round = 0; process != NULL && table_count(MPILENS_OBJECT_LIVE) < wanted; round++) {
        if (round == most_rounds) {
            fprintf(stderr, "%d messages in the table\n", table_count(MPILENS_OBJECT_LIVE));
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        nanosleep(&time, NULL);
    }
}

static void send_all(MPI_Comm communicator)
{
    int values[messages] = {0};
    MPI_Request requests[messages];
    MPI_Status statuses[messages];
    for (int i = 0; i < messages; i++)
        (i % 3 == 0 ? MPI_Issend : MPI_Isend)(values, i, MPI_INT, 0, i, communicator, &requests[i]);
    int over = 0;
    MPI_Test(&requests[0], &over, MPI_STATUS_IGNORE); /* a synchronous one, which nobody receives yet */
    MPI_Send(&over, 1, MPI_INT, 0, 1, communicator);
    MPI_Waitall(messages, requests, statuses);
}

static void receive_all(MPI_Comm communicator)
{
    wait_for_table(messages + 1);
    for (int i = messages - 1; i >= 0; i--) {
        int values[messages], ints;
        MPI_Status status;
        MPI_Recv(values, messages, MPI_INT, MPI_ANY_SOURCE, i, communicator, &status);
        MPI_Get_count(&status, MPI_INT, &ints);
        sums[0] += ints == i && status.MPI_TAG == i && status.MPI_SOURCE == 1;
    }
    int over = -1;
    MPI_Recv(&over, 1, MPI_INT, 1, 1, communicator, MPI_STATUS_IGNORE);
    sums[1] += over == 0;
    if (process != NULL && table_count(MPILENS_OBJECT_LIVE) != 0)
        MPI_Abort(MPI_COMM_WORLD, 4);
}

int main(int argc, char **argv)
{
    int provided, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Query_thread(&level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    process = exact_process();
    MPI_Comm duplicate;
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    for (int i = 0; i < 2; i++) {
        (rank == 0 ? receive_all : send_all)(i == 0 ? MPI_COMM_WORLD : duplicate);
        MPI_Barrier(MPI_COMM_WORLD); /* nothing of what follows may be in the table that is counted at the end */
    }
    if (rank == 1) /* nobody receives these */
        for (int i = 1; i < 4; i++)
            MPI_Send(sums, 1, MPI_INT, 0, 1, i == 1 ? duplicate : MPI_COMM_WORLD);
    else
        wait_for_table(3);
    MPI_Comm_free(&duplicate);
    if (rank == 0 && process != NULL && table_count(MPILENS_OBJECT_FREED) != 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (rank == 0)
        printf("%d of %d, %d, level %d %d\n", sums[0], 2 * messages, sums[1], provided, level);
    MPI_Finalize();
    return 0;
}
