/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several threads receive on one communicator: receivers MESSAGES [SEED]. Every rank sends that many messages to each
 * rank, itself included, and its threads receive them from anybody, one or several at a time, in all possible ways.
 * Every message must come once, and one thread must get messages of one source and tag in the order in which they were
 * sent. Rank 0 prints how many were received.
 */
#define _GNU_SOURCE
#include "unexpected_table.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    threads = 3,
    most_ranks = 4,
    tags = 3,
    most_batch = 5,
    most_messages = 20000,
    most_ints = 4000,
    most_pauses = 20000
};

static const struct mpilens_process *process;
static MPI_Comm communicator;
static int rank, size, messages, reserved, sightings;
static unsigned char is_received[most_ranks][most_messages];

/* A thread and the messages that it receives. */
struct receiver {
    pthread_t thread;
    uint64_t state;
    int last[most_ranks][tags];
    int values[most_batch][most_ints];
};

static struct receiver receivers[threads];

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

/* Some time, during which the runtime may act. */
static void pause_for_some_time(uint64_t *state)
{
    const struct timespec time = {0, (long)draw(state, 3000) * 1000};
    nanosleep(&time, NULL);
    if (process != NULL && unexpected_count(process, MPILENS_OBJECT_LIVE, NULL) > 0)
        __atomic_store_n(&sightings, 1, __ATOMIC_RELAXED);
}

static void fail(const char *what, int source, int number)
{
    fprintf(stderr, "rank %d, message %d of %d: %s\n", rank, number, source, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int ints_of(int number)
{
    return number % 37 == 0 ? most_ints : 1 + number % 9;
}

static int tag_of(int source, int number)
{
    return (number * 7 + source) % tags;
}

static void take(struct receiver *receiver, const int *values, const MPI_Status *status)
{
    const int source = status->MPI_SOURCE, tag = status->MPI_TAG, number = values[0];
    int ints = -1;
    MPI_Get_count(status, MPI_INT, &ints);
    if (source < 0 || source >= size || number < 0 || number >= messages || tag != tag_of(source, number))
        fail("not what the source has sent", source, number);
    if (ints != ints_of(number) || values[ints - 1] != (ints > 1 ? number + ints : number))
        fail("other values", source, number);
    if (__atomic_exchange_n(&is_received[source][number], 1, __ATOMIC_RELAXED) != 0)
        fail("received twice", source, number);
    if (number <= receiver->last[source][tag])
        fail("before an earlier one", source, number);
    receiver->last[source][tag] = number;
}

/* Each stands for one message that will come. */
static int reserve(int wanted)
{
    const int before = __atomic_fetch_add(&reserved, wanted, __ATOMIC_RELAXED);
    const int left = messages * size - before;
    const int given = left < 0 ? 0 : left < wanted ? left : wanted;
    __atomic_fetch_sub(&reserved, wanted - given, __ATOMIC_RELAXED);
    return given;
}

static void receive_one(struct receiver *receiver, uint32_t way)
{
    int *values = receiver->values[0], flag = 0;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    switch (way) {
    case 0:
        MPI_Recv(values, most_ints, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &status);
        break;
    case 1:
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &message, &status);
        if (draw(&receiver->state, 4) == 0)
            pause_for_some_time(&receiver->state);
        MPI_Mrecv(values, most_ints, MPI_INT, &message, &status);
        break;
    case 2:
        while (!flag)
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &flag, &message, &status);
        MPI_Imrecv(values, most_ints, MPI_INT, &message, &request);
        MPI_Wait(&request, &status);
        break;
    default: /* of one source and tag, if there is one */
        for (int i = 0; !flag; i++) {
            const int is_any = i == tags * size;
            MPI_Improbe(is_any ? MPI_ANY_SOURCE : i / tags, is_any ? MPI_ANY_TAG : i % tags, communicator, &flag,
                        &message, &status);
            i = is_any ? -1 : i;
        }
        MPI_Mrecv(values, most_ints, MPI_INT, &message, &status);
    }
    take(receiver, values, &status);
}

/* Some of them persistent, completed in any way, looked at in the order in which they were started. */
static void receive_several(struct receiver *receiver, int count)
{
    MPI_Request requests[most_batch], whole[most_batch];
    MPI_Status statuses[most_batch], some[most_batch];
    int persistent[most_batch], indices[most_batch], outcount = 0, first_to_start = 0;
    for (int i = 0; i < count; i++) {
        persistent[i] = draw(&receiver->state, 2) == 0;
        if (persistent[i]) {
            MPI_Recv_init(receiver->values[i], most_ints, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator,
                          &requests[i]);
            continue;
        }
        if (i > first_to_start)
            MPI_Startall(i - first_to_start, &requests[first_to_start]);
        MPI_Irecv(receiver->values[i], most_ints, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &requests[i]);
        first_to_start = i + 1;
    }
    if (count > first_to_start)
        MPI_Startall(count - first_to_start, &requests[first_to_start]);
    memcpy(whole, requests, sizeof *whole * (size_t)count);
    const uint32_t way = draw(&receiver->state, 3);
    if (way == 0)
        MPI_Waitall(count, whole, statuses);
    for (int left = way == 0 ? 0 : count; left > 0; left -= outcount) {
        outcount = 1;
        if (way == 1)
            MPI_Waitany(count, whole, &indices[0], &some[0]);
        else
            MPI_Testsome(count, whole, &outcount, indices, some);
        for (int i = 0; i < outcount; i++)
            statuses[indices[i]] = some[i];
    }
    for (int i = 0; i < count; i++) {
        if (whole[i] != (persistent[i] ? requests[i] : MPI_REQUEST_NULL))
            fail("a request has become another", -1, i);
        if (persistent[i])
            MPI_Request_free(&requests[i]);
        take(receiver, receiver->values[i], &statuses[i]);
    }
}

/* Receivers come late: something has been taken out by then. */
static void wait_for_sighting(uint64_t state)
{
    for (int i = 0; process != NULL && i < most_pauses && !__atomic_load_n(&sightings, __ATOMIC_RELAXED); i++)
        pause_for_some_time(&state);
}

static void *receive_all(void *of_thread)
{
    struct receiver *receiver = of_thread;
    wait_for_sighting(receiver->state);
    for (int given; (given = reserve(draw(&receiver->state, 2) == 0 ? 1 : most_batch)) > 0;) {
        if (draw(&receiver->state, 20) == 0)
            pause_for_some_time(&receiver->state);
        if (given > 1)
            receive_several(receiver, given);
        else
            receive_one(receiver, draw(&receiver->state, 4));
    }
    return NULL;
}

static void send_all(uint64_t seed)
{
    static int values[most_ints];
    uint64_t state = seed * 31 + (uint64_t)rank;
    for (int number = 0; number < messages; number++)
        for (int target = 0; target < size; target++) {
            const int ints = ints_of(number);
            values[0] = number;
            if (ints > 1)
                values[ints - 1] = number + ints;
            if (draw(&state, 40) == 0)
                pause_for_some_time(&state);
            (draw(&state, 8) == 0 ? MPI_Ssend : MPI_Send)(values, ints, MPI_INT, target, tag_of(rank, number),
                                                          communicator);
        }
}

int main(int argc, char **argv)
{
    int provided, seen = 0;
    messages = argc > 1 ? atoi(argv[1]) : 300;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (provided != MPI_THREAD_MULTIPLE || size > most_ranks || messages > most_messages)
        MPI_Abort(MPI_COMM_WORLD, 2);
    process = exact_process();
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    for (int i = 0; i < threads; i++) {
        receivers[i].state = seed * 1000003 + (uint64_t)(rank * threads + i) * 7919;
        memset(receivers[i].last, -1, sizeof receivers[i].last);
        if (pthread_create(&receivers[i].thread, NULL, receive_all, &receivers[i]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    send_all(seed);
    int received = 0, all = 0;
    for (int i = 0; i < threads; i++)
        pthread_join(receivers[i].thread, NULL);
    for (int source = 0; source < size; source++)
        for (int number = 0; number < messages; number++)
            received += is_received[source][number];
    MPI_Reduce(&received, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sightings, &seen, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && process != NULL && !seen) {
        fprintf(stderr, "no message was ever seen in the table\n");
        MPI_Abort(MPI_COMM_WORLD, 4);
    }
    if (rank == 0)
        printf("%d messages\n", all);
    MPI_Comm_free(&communicator);
    MPI_Finalize();
    return 0;
}
