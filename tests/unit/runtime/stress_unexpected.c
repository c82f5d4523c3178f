/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads receive and probe over a library that has a queue of messages, out of which the runtime takes at any time
 * what nobody asks for. Every message is received once, in the order of its tag.
 */
#include "stress.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 1000,
    TAGS = 2,
    WAYS = 6,
    MOST_MESSAGES = 4096,
    FIRST_COMMUNICATOR = 0x04000010,
    FIRST_REQUEST = 0x2c000100
};

/* A message; where it was received by a request, that request. Its serial is its number of bytes. */
struct message {
    MPI_Comm communicator;
    int tag;
    uint64_t serial;
};

/* A receive that waits in the library. */
struct posted {
    struct message message;
    bool active, matched;
};

static pthread_mutex_t library_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct message queue[MOST_MESSAGES], matched[MOST_MESSAGES];
static size_t queue_length, matched_count;
static struct posted posted[THREADS * 2];
static uint64_t sent[THREADS][TAGS];
static int communicators_made;
static uint64_t taken_out;

/* All of these with the lock. */
static bool take(MPI_Comm communicator, int tag, bool removes, struct message *ret_message)
{
    for (size_t i = 0; i < queue_length; i++)
        if (queue[i].communicator == communicator && (tag == MPI_ANY_TAG || tag == queue[i].tag)) {
            *ret_message = queue[i];
            if (removes)
                memmove(&queue[i], &queue[i + 1], (--queue_length - i) * sizeof *queue);
            return true;
        }
    return false;
}

static void arrive(const struct message *message)
{
    for (size_t i = 0; i < sizeof posted / sizeof *posted; i++)
        if (posted[i].active && !posted[i].matched && posted[i].message.communicator == message->communicator &&
            posted[i].message.tag == message->tag) {
            posted[i].message = *message;
            posted[i].matched = true;
            return;
        }
    if (queue_length == MOST_MESSAGES)
        abort();
    queue[queue_length++] = *message;
}

static MPI_Request post(MPI_Comm communicator, int tag, const struct message *already)
{
    size_t place = 0;
    while (posted[place].active)
        place++;
    struct message message = {communicator, tag, 0};
    const bool is_there = already != NULL || take(communicator, tag, true, &message);
    posted[place] = (struct posted){already != NULL ? *already : message, true, is_there};
    return (MPI_Request)(0x80000000u | FIRST_REQUEST) + (int)place;
}

static void store_status(MPI_Status *status, const struct message *message)
{
    if (status != MPI_STATUS_IGNORE && status != NULL)
        *status = fake_status(0, message->tag, message->serial, false);
}

/* Whether the call is over. */
static bool perform_locked(const struct fake_call *call)
{
    const uint64_t *arguments = call->arguments;
    struct message message = {.tag = 0};
    if (strcmp(call->kind, "send") == 0) {
        message = (struct message){(MPI_Comm)arguments[5], (int)arguments[4], arguments[1]};
        arrive(&message);
    } else if (strcmp(call->kind, "receive") == 0) {
        if (!take((MPI_Comm)arguments[5], (int)arguments[4], true, &message))
            return false;
        store_status(call->statuses, &message);
    } else if (strcmp(call->kind, "receive_nonblocking") == 0)
        *call->requests = (int)arguments[3] == MPI_PROC_NULL ? FAKE_COMPLETE_REQUEST
                                                             : post((MPI_Comm)arguments[5], (int)arguments[4], NULL);
    else if (strstr(call->kind, "probe") != NULL) {
        const bool is_matched = call->message != NULL;
        const bool found = take((MPI_Comm)arguments[2], (int)arguments[1], is_matched, &message);
        if (call->flag != NULL)
            *call->flag = found;
        else if (!found)
            return false;
        if (found && is_matched) {
            *call->message = (MPI_Message)(0x30000000 + (int)(matched_count % MOST_MESSAGES));
            matched[matched_count++ % MOST_MESSAGES] = message;
        }
        if (found)
            store_status(call->statuses, &message);
    } else if (call->message != NULL) { /* a receive of a matched message */
        message = matched[*call->message - 0x30000000];
        *call->message = MPI_MESSAGE_NULL;
        if (call->requests != NULL)
            *call->requests = post(MPI_COMM_NULL, 0, &message);
        else
            store_status(call->statuses, &message);
    } else if (strcmp(call->kind, "wait") == 0 && *call->requests < (MPI_Request)0xc0000000) {
        struct posted *of_request = &posted[*call->requests - (MPI_Request)(0x80000000u | FIRST_REQUEST)];
        if (!of_request->matched)
            return false;
        store_status(call->statuses, &of_request->message);
        of_request->active = false;
        *call->requests = MPI_REQUEST_NULL;
    } else if (strcmp(call->kind, "communicator") == 0)
        *call->communicator = (MPI_Comm)(0x80000000u | (unsigned)(FIRST_COMMUNICATOR + communicators_made++));
    else if (strcmp(call->kind, "communicator_free") == 0)
        *call->communicator = MPI_COMM_NULL;
    else if (strstr(call->kind, "_nonblocking") != NULL)
        *call->requests = FAKE_COMPLETE_REQUEST;
    else if (call->flag != NULL)
        *call->flag = fake.thread_level;
    return true;
}

static int perform(const struct fake_call *call)
{
    for (;;) {
        pthread_mutex_lock(&library_mutex);
        const bool is_over = perform_locked(call);
        pthread_mutex_unlock(&library_mutex);
        if (is_over)
            return MPI_SUCCESS;
        sched_yield();
    }
}

static void receive(MPI_Comm communicator, int tag, int way, MPI_Status *ret_status)
{
    char buffer[1];
    int flag = 0;
    MPI_Message message;
    MPI_Request request;
    switch (way) {
    case 0:
        MPI_Recv(buffer, 1, MPI_CHAR, 0, tag, communicator, ret_status);
        break;
    case 1:
        MPI_Probe(0, tag, communicator, ret_status);
        MPI_Recv(buffer, 1, MPI_CHAR, 0, tag, communicator, ret_status);
        break;
    case 2:
        while (!flag)
            MPI_Iprobe(0, tag, communicator, &flag, ret_status);
        MPI_Recv(buffer, 1, MPI_CHAR, 0, tag, communicator, ret_status);
        break;
    case 3:
        while (!flag)
            MPI_Improbe(0, tag, communicator, &flag, &message, ret_status);
        MPI_Mrecv(buffer, 1, MPI_CHAR, &message, ret_status);
        break;
    case 4:
        MPI_Irecv(buffer, 1, MPI_CHAR, 0, tag, communicator, &request);
        sched_yield();
        MPI_Wait(&request, ret_status);
        break;
    default:
        MPI_Mprobe(0, tag, communicator, &message, ret_status);
        MPI_Mrecv(buffer, 1, MPI_CHAR, &message, ret_status);
    }
}

static bool is_in_table(const struct mpilens_table *table)
{
    return __atomic_load_n(&table->chunk_count, __ATOMIC_ACQUIRE) > 0;
}

/* The work of each thread: it sends to the next one and receives what the one before has sent. */
static void work(unsigned number)
{
    const unsigned next = (number + 1) % THREADS;
    uint64_t received[TAGS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        for (int tag = 0; tag < TAGS; tag++)
            MPI_Send("", (int)sent[next][tag]++, MPI_CHAR, 0, tag, communicators[next]);
        for (int i = 0; i < TAGS; i++) {
            const int tag = (round + i) % TAGS;
            MPI_Status status;
            receive(communicators[number], tag, (round / TAGS + i + (int)number) % WAYS, &status);
            int bytes = -1;
            memcpy(&bytes, &status.count_lo, sizeof bytes);
            if (status.MPI_TAG != tag || (uint64_t)bytes != received[tag]++) {
                fprintf(stderr, "thread %u, round %d, tag %d: not the next message\n", number, round, tag);
                exit(EXIT_FAILURE);
            }
        }
        if (is_in_table(&mpilens_process.tables[MPILENS_TABLE_UNEXPECTED]))
            __atomic_store_n(&taken_out, 1, __ATOMIC_RELAXED);
    }
}

int main(void)
{
    setenv("MPILENS_UNEXPECTED", "exact", 1);
    setenv("MPILENS_UNEXPECTED_AFTER", "0", 1);
    stress_begin(MPI_THREAD_MULTIPLE, perform);
    stress_run(work);
    stress_check(queue_length == 0, "every message is received");
    stress_check(taken_out != 0, "the runtime has taken some out");
    stress_check(mpilens_process.unexpected_mode == MPILENS_UNEXPECTED_EXACT, "it says so");
    return stress_end(0);
}
