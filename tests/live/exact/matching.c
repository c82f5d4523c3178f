/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random programs of sends, receives and probes: matching PROGRAMS [THREADS [SEED]]. Every receive must get the first
 * message from its source that it matches: its status and its values are compared. Rank 0 prints a digest of what each
 * rank has received; the order in which sources were served, which depends on time, does not count.
 *
 * All ranks know the whole plan. A rank sends all its messages first, without waiting, and receives in an order of its
 * own, with pauses in between, so a lot of messages come before any receive asks for them. The communicator of a
 * program is one that lasts, one made for it, or one between the even and the odd ranks. Threads run programs of their
 * own on communicators of their own.
 */
#define _GNU_SOURCE
#include "unexpected_table.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_messages = 6, most_ranks = 4, tags = 3, most_ints = 6000, most_threads = 4, most_batch = 6, of_self = 77 };

struct message {
    int tag, ints, synchronous;
};

/* A receive that was started, and what it must get. */
struct awaited {
    int source, number;
};

static int rank, size, programs;
static uint64_t seed;
static const struct mpilens_process *process;

/* The state of a thread. */
static _Thread_local uint64_t state, digest;
static _Thread_local int program, sightings;
static _Thread_local MPI_Comm communicator;
static _Thread_local int is_inter;
static _Thread_local struct message plan[most_ranks][most_ranks][most_messages];
static _Thread_local int counts[most_ranks][most_ranks];
static _Thread_local int received[most_ranks][most_messages];

struct run {
    pthread_t thread;
    int number;
    MPI_Comm lasting, inter;
    uint64_t digest;
    int sightings;
};

static uint32_t draw(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

static void fail(const char *what, int source, int number)
{
    fprintf(stderr, "program %d, rank %d, message %d of %d: %s\n", program, rank, number, source, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Some, during which the runtime may act. */
static void pause_for_some_time(uint32_t most_microseconds)
{
    const struct timespec time = {0, (long)draw(most_microseconds) * 1000};
    nanosleep(&time, NULL);
    if (process != NULL)
        sightings += unexpected_count(process, MPILENS_OBJECT_LIVE, NULL) > 0;
}

/* Ranks as the communicator has them: that between even and odd ones counts each half from 0. */
static int in_communicator(int of_world)
{
    return is_inter ? of_world / 2 : of_world;
}

static int in_world(int of_communicator)
{
    return is_inter ? 2 * of_communicator + (rank + 1) % 2 : of_communicator;
}

static void fill(int *values, int source, int target, int number, int ints)
{
    for (int i = 0; i < ints; i++)
        values[i] = program * 1000 + source * 331 + target * 71 + number * 13 + i;
}

/* The first message of the source with that tag that is not received yet; -1: none. MPI_ANY_TAG: of all. */
static int next_of(int source, int tag)
{
    for (int i = 0; i < counts[source][rank]; i++)
        if (!received[source][i] && (tag == MPI_ANY_TAG || plan[source][rank][i].tag == tag))
            return i;
    return -1;
}

static void check(int source, int number, const int *values, const MPI_Status *status)
{
    const struct message *message = &plan[source][rank][number];
    static _Thread_local int expected[most_ints];
    int ints = -1;
    MPI_Get_count(status, MPI_INT, &ints);
    fill(expected, source, rank, number, message->ints);
    if (in_world(status->MPI_SOURCE) != source || status->MPI_TAG != message->tag || ints != message->ints)
        fail("another status", source, number);
    if (memcmp(expected, values, sizeof *values * (size_t)ints) != 0)
        fail("other values", source, number);
    uint64_t hash = (uint64_t)program * 64 + (uint64_t)source * 8 + (uint64_t)number;
    for (int i = 0; i < ints; i++)
        hash = (hash ^ (uint64_t)values[i]) * UINT64_C(1099511628211);
    digest += hash * (uint64_t)(message->tag + 1);
    received[source][number] = 1;
}

/* A send to the rank itself in an exchange, and its receive. MPICH 4.0 says nothing in the status of MPI_Isendrecv. */
static void exchange(int kind, int *values, int source, int tag, const struct message *message, MPI_Status *ret_status)
{
    static _Thread_local int back[most_ints];
    int number = (int)draw(1000);
    (void)message;
    MPI_Request request = MPI_REQUEST_NULL;
    if (is_inter) { /* sends to itself go to nobody there */
        MPI_Sendrecv(&number, 1, MPI_INT, MPI_PROC_NULL, of_self, values, most_ints, MPI_INT, source, tag, communicator,
                     ret_status);
        return;
    }
    values[0] = number; /* the replaced buffer has room for any message */
    MPI_Irecv(back, most_ints, MPI_INT, rank, of_self, communicator, &request);
    if (kind == 0)
        MPI_Sendrecv(&number, 1, MPI_INT, rank, of_self, values, most_ints, MPI_INT, source, tag, communicator,
                     ret_status);
    else if (kind == 1 || MPI_VERSION < 4)
        MPI_Sendrecv_replace(values, most_ints, MPI_INT, rank, of_self, source, tag, communicator, ret_status);
#if MPI_VERSION >= 4
    else {
        MPI_Request whole;
        if (kind == 2)
            MPI_Isendrecv(&number, 1, MPI_INT, rank, of_self, values, most_ints, MPI_INT, source, tag, communicator,
                          &whole);
        else
            MPI_Isendrecv_replace(values, most_ints, MPI_INT, rank, of_self, source, tag, communicator, &whole);
        MPI_Wait(&whole, ret_status);
        ret_status->MPI_SOURCE = source;
        ret_status->MPI_TAG = message->tag;
        MPI_Status_set_elements(ret_status, MPI_INT, message->ints);
    }
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (back[0] != number)
        fail("an exchange has sent something else", source, -1);
}

/* By which calls one message is received. */
enum { kinds = 16 };

static void receive(int kind, int from, int tag, int number)
{
    static _Thread_local int values[most_ints];
    const int most = most_ints, source = in_communicator(from);
    int flag = 0, index = -1, outcount = 0, indices[2];
    MPI_Status status = {0}, statuses[2];
    MPI_Message message;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    memset(values, 0, sizeof values);
    switch (kind) {
    case 0:
        MPI_Recv(values, most, MPI_INT, source, tag, communicator, &status);
        break;
    case 1:
        MPI_Irecv(values, most, MPI_INT, source, tag, communicator, &requests[0]);
        MPI_Wait(&requests[0], &status);
        break;
    case 2:
        MPI_Probe(source, tag, communicator, &status);
        pause_for_some_time(1500);
        MPI_Recv(values, most, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, communicator, &status);
        break;
    case 3:
        while (!flag)
            MPI_Iprobe(source, tag, communicator, &flag, &status);
        pause_for_some_time(1500);
        MPI_Recv(values, most, MPI_INT, source, tag, communicator, &status);
        break;
    case 4:
        MPI_Mprobe(source, tag, communicator, &message, &status);
        pause_for_some_time(1500);
        MPI_Mrecv(values, most, MPI_INT, &message, &status);
        break;
    case 5:
        while (!flag)
            MPI_Improbe(source, tag, communicator, &flag, &message, &status);
        MPI_Imrecv(values, most, MPI_INT, &message, &requests[0]);
        MPI_Waitall(1, requests, &status);
        break;
    case 6:
        MPI_Recv_init(values, most, MPI_INT, source, tag, communicator, &requests[0]);
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], &status);
        MPI_Request_free(&requests[0]);
        break;
    case 7:
        MPI_Recv_init(values, most, MPI_INT, source, tag, communicator, &requests[1]);
        MPI_Startall(1, &requests[1]);
        MPI_Waitany(2, requests, &index, &status);
        MPI_Request_free(&requests[1]);
        if (index != 1)
            fail("another index", from, number);
        break;
    case 8:
        MPI_Recv_init(values, most, MPI_INT, source, tag, communicator, &requests[1]);
        pause_for_some_time(1500);
        MPI_Start(&requests[1]);
        MPI_Waitsome(2, requests, &outcount, indices, statuses);
        status = statuses[0];
        MPI_Request_free(&requests[1]);
        if (outcount != 1 || indices[0] != 1)
            fail("other indices", from, number);
        break;
    case 9:
        MPI_Irecv(values, most, MPI_INT, source, tag, communicator, &requests[0]);
        while (!flag)
            MPI_Testall(2, requests, &flag, statuses);
        status = statuses[0];
        break;
    case 10:
        MPI_Recv_init(values, most, MPI_INT, source, tag, communicator, &requests[0]);
        MPI_Start(&requests[0]);
        while (!flag)
            MPI_Request_get_status(requests[0], &flag, &status);
        flag = 0;
        while (!flag)
            MPI_Test(&requests[0], &flag, &status);
        MPI_Request_free(&requests[0]);
        break;
    case 11: /* nobody sends what is cancelled */
        MPI_Irecv(values, most, MPI_INT, source, of_self + 1, communicator, &requests[0]);
        MPI_Cancel(&requests[0]);
        MPI_Wait(&requests[0], &status);
        MPI_Test_cancelled(&status, &flag);
        if (!flag)
            fail("not cancelled", from, number);
        MPI_Recv(values, most, MPI_INT, source, tag, communicator, &status);
        break;
    default:
        exchange(kind - 12, values, source, tag, &plan[from][rank][number], &status);
    }
    check(from, number, values, &status);
}

/* A receive from anybody: it must get the first message of its source. */
static void receive_from_anybody(void)
{
    static _Thread_local int values[most_ints];
    MPI_Status status;
    if (draw(2)) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &status);
        if (draw(2))
            pause_for_some_time(1500);
        MPI_Recv(values, most_ints, MPI_INT, status.MPI_SOURCE, MPI_ANY_TAG, communicator, &status);
    } else
        MPI_Recv(values, most_ints, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &status);
    const int source = in_world(status.MPI_SOURCE);
    check(source, next_of(source, MPI_ANY_TAG), values, &status);
}

/* Waits for all of them, in one of the ways. */
static void complete(int count, MPI_Request *requests, MPI_Status *statuses)
{
    const uint32_t way = draw(4);
    int index, flag, outcount, indices[most_batch];
    MPI_Status some[most_batch];
    if (way == 0)
        MPI_Waitall(count, requests, statuses);
    for (int left = way == 0 ? 0 : count; left > 0;) {
        MPI_Status *status = &some[0];
        outcount = 1;
        if (way == 1)
            MPI_Waitany(count, requests, &indices[0], status);
        else if (way == 2) {
            MPI_Testany(count, requests, &index, &flag, status);
            outcount = flag;
            indices[0] = index;
        } else
            MPI_Waitsome(count, requests, &outcount, indices, some);
        for (int i = 0; i < outcount; i++)
            statuses[indices[i]] = some[i];
        left -= outcount;
    }
}

/* Several receives at a time, some of them persistent, and those started several at a time. */
static void receive_several(void)
{
    static _Thread_local int values[most_batch][most_ints];
    struct awaited awaited[most_batch];
    MPI_Request requests[most_batch];
    MPI_Status statuses[most_batch];
    int persistent[most_batch], first_to_start = 0, count = 0;
    const int most = 1 + (int)draw(most_batch);
    for (int i = 0; i < most; i++) {
        const int source = (int)draw((uint32_t)size), tag = draw(3) == 0 ? MPI_ANY_TAG : (int)draw(tags);
        const int number = next_of(source, tag);
        if (number < 0)
            continue;
        received[source][number] = 1; /* by this one, whenever it comes */
        awaited[count] = (struct awaited){source, number};
        persistent[count] = draw(2) == 0;
        const int peer = in_communicator(source);
        if (persistent[count])
            MPI_Recv_init(values[count], most_ints, MPI_INT, peer, tag, communicator, &requests[count]);
        else {
            if (count > first_to_start)
                MPI_Startall(count - first_to_start, &requests[first_to_start]);
            MPI_Irecv(values[count], most_ints, MPI_INT, peer, tag, communicator, &requests[count]);
            first_to_start = count + 1;
        }
        count++;
        if (draw(4) == 0)
            pause_for_some_time(1500);
    }
    if (count > first_to_start)
        MPI_Startall(count - first_to_start, &requests[first_to_start]);
    MPI_Request whole[most_batch];
    memcpy(whole, requests, sizeof whole);
    if (count > 0)
        complete(count, whole, statuses);
    for (int i = 0; i < count; i++) {
        if (persistent[i] && whole[i] != requests[i])
            fail("a persistent request has become another", awaited[i].source, awaited[i].number);
        if (persistent[i])
            MPI_Request_free(&requests[i]);
        check(awaited[i].source, awaited[i].number, values[i], &statuses[i]);
    }
}

static int left(void)
{
    int messages = 0;
    for (int source = 0; source < size; source++)
        for (int i = 0; i < counts[source][rank]; i++)
            messages += !received[source][i];
    return messages;
}

static void make_plan(void)
{
    memset(received, 0, sizeof received);
    for (int source = 0; source < size; source++)
        for (int target = 0; target < size; target++) {
            const int count = (int)draw(most_messages);
            counts[source][target] = is_inter && (source + target) % 2 == 0 ? 0 : count;
            for (int i = 0; i < most_messages; i++)
                plan[source][target][i] = (struct message){
                    (int)draw(tags), draw(8) == 0 ? (int)draw(most_ints) : (int)draw(10), draw(4) == 0};
        }
}

static void run_program(void)
{
    static _Thread_local int values[most_ranks * most_messages][most_ints];
    MPI_Request requests[most_ranks * most_messages];
    MPI_Status statuses[most_ranks * most_messages];
    int sends = 0;
    make_plan();
    state += (uint64_t)rank * 7919;
    for (int target = 0; target < size; target++)
        for (int i = 0; i < counts[rank][target]; i++) {
            const struct message *message = &plan[rank][target][i];
            fill(values[sends], rank, target, i, message->ints);
            if (draw(6) == 0)
                pause_for_some_time(1000);
            (message->synchronous ? MPI_Issend : MPI_Isend)(values[sends], message->ints, MPI_INT,
                                                            in_communicator(target), message->tag, communicator,
                                                            &requests[sends]);
            sends++;
        }
    while (left() > 0) {
        if (draw(4) == 0)
            pause_for_some_time(3000);
        const int source = (int)draw((uint32_t)size), tag = draw(3) == 0 ? MPI_ANY_TAG : (int)draw(tags);
        const int number = next_of(source, tag);
        const uint32_t action = draw(8);
        if (action == 0)
            receive_from_anybody();
        else if (action < 3)
            receive_several();
        else if (number >= 0)
            receive((int)draw(kinds), source, tag, number);
    }
    MPI_Waitall(sends, requests, statuses);
}

/* Ranks come to it at different times. */
static void make_communicator(MPI_Comm lasting)
{
    const uint32_t by_group = draw(2), pause = draw(3000), who = draw((uint32_t)size);
    if ((uint32_t)rank == who)
        pause_for_some_time(pause + 1);
    state = seed + (uint64_t)program;
    if (by_group) {
        MPI_Group group;
        MPI_Comm_group(lasting, &group);
        MPI_Comm_create_group(lasting, group, 1, &communicator);
        MPI_Group_free(&group);
    } else
        MPI_Comm_dup(lasting, &communicator);
}

static void *run_programs(void *of_thread)
{
    struct run *run = of_thread;
    for (program = 0; program < programs; program++) {
        state = seed + (uint64_t)program * UINT64_C(1000003) + (uint64_t)run->number * UINT64_C(77003);
        const uint32_t which = draw(3);
        is_inter = which == 2 && size > 1;
        communicator = is_inter ? run->inter : run->lasting;
        if (which == 1)
            make_communicator(run->lasting);
        run_program();
        MPI_Barrier(run->lasting); /* whoever receives from anybody gets nothing of the next program */
        if (which == 1)
            MPI_Comm_free(&communicator);
    }
    run->digest = digest;
    run->sightings = sightings;
    return NULL;
}

/* Even and odd ranks, and a communicator between both. */
static MPI_Comm make_inter(void)
{
    MPI_Comm half, inter = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (size > 1)
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 1, &inter);
    MPI_Comm_free(&half);
    return inter;
}

int main(int argc, char **argv)
{
    struct run runs[most_threads];
    int provided, most_sightings, all_sightings = 0;
    programs = argc > 1 ? atoi(argv[1]) : 10;
    const int threads = argc > 2 ? atoi(argv[2]) : 1;
    seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    process = exact_process();
    if (size > most_ranks || threads > most_threads || (threads > 1 && provided != MPI_THREAD_MULTIPLE))
        MPI_Abort(MPI_COMM_WORLD, 2);
    uint64_t digest_of_rank = 0, digests[most_ranks];
    for (int i = 0; i < threads; i++) {
        runs[i].number = i;
        MPI_Comm_dup(MPI_COMM_WORLD, &runs[i].lasting);
        runs[i].inter = make_inter();
    }
    for (int i = 0; i < threads && threads > 1; i++)
        if (pthread_create(&runs[i].thread, NULL, run_programs, &runs[i]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 3);
    for (int i = 0; i < threads; i++) {
        if (threads > 1)
            pthread_join(runs[i].thread, NULL);
        else
            run_programs(&runs[i]);
        digest_of_rank += runs[i].digest;
        all_sightings += runs[i].sightings;
    }
    MPI_Gather(&digest_of_rank, 1, MPI_UINT64_T, digests, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        printf("rank %d: %016llx\n", i, (unsigned long long)digests[i]);
    MPI_Reduce(&all_sightings, &most_sightings, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && process != NULL && most_sightings == 0) {
        fprintf(stderr, "no message was ever seen in the table\n");
        MPI_Abort(MPI_COMM_WORLD, 4);
    }
    MPI_Finalize();
    return 0;
}
