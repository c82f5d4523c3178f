/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many threads send and receive over a library that gives a handle out again as soon as it is free. Ends with an empty
 * shadow state. Where the threads have promised to be in MPI one at a time ("funneled", "serialized"), some operations
 * may be lost until the runtime knows better.
 */
#include "stress.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    ROUNDS = 3000,
    HANDLES = 4096,
    FIRST_HANDLE = 0x2c000100,
    FIRST_HANDED_OVER = 0x2d000000,
    FIRST_COMMUNICATOR = 0x04000010,
    TAG = 1,
    TAG_HANDED_OVER = 2, /* of sends that another thread completes */
    MOST_HANDED_OVER = 8,
    MOST_OPEN = 4 + MOST_HANDED_OVER, /* requests of one thread at a time, and those that it is to complete */
};

/* Free handles, last freed first: the mutex stands for a real library's own lock. */
static pthread_mutex_t library_mutex = PTHREAD_MUTEX_INITIALIZER;
static int free_requests[HANDLES];
static int free_request_count;
static unsigned handed_over_count;
static int free_communicators[HANDLES];
static int free_communicator_count;

static int take(const int *handles, int *count)
{
    pthread_mutex_lock(&library_mutex);
    int handle = handles[--*count];
    pthread_mutex_unlock(&library_mutex);
    return handle;
}

static void give_back(int *handles, int *count, int handle)
{
    pthread_mutex_lock(&library_mutex);
    handles[(*count)++] = handle;
    pthread_mutex_unlock(&library_mutex);
}

/* Requests that another thread completes get handles that come again late: the runtime may take a request for the one
 * that had the same handle before, while the thread that completed that one has not come to say so. */
static MPI_Request new_request(const struct fake_call *call)
{
    const uint64_t *arguments = call->arguments;
    const bool is_message = call->argument_count > 4; /* the runtime itself begins a barrier in MPI_Init */
    if (!is_message || arguments[3] == 0)
        return FAKE_COMPLETE_REQUEST;
    if (arguments[4] == TAG_HANDED_OVER)
        return (MPI_Request)(0x80000000u | FIRST_HANDED_OVER) +
               (int)(__atomic_fetch_add(&handed_over_count, 1, __ATOMIC_RELAXED) % (1 << 20));
    return take(free_requests, &free_request_count);
}

static void free_request(MPI_Request *request)
{
    if (*request == MPI_REQUEST_NULL)
        return;
    int handle = *request;
    *request = MPI_REQUEST_NULL;
    if (handle < (MPI_Request)(0x80000000u | FIRST_HANDED_OVER))
        give_back(free_requests, &free_request_count, handle);
}

static void store_status(MPI_Status *status)
{
    if (status != MPI_STATUS_IGNORE && status != NULL)
        *status = fake_status(1, 1, 4, false);
}

static int perform(const struct fake_call *call)
{
    if (strstr(call->kind, "_nonblocking") != NULL)
        *call->requests = new_request(call);
    else if (strcmp(call->kind, "wait") == 0) {
        store_status(call->statuses);
        free_request(call->requests);
    } else if (strcmp(call->kind, "waitall") == 0)
        for (int i = 0; i < call->count; i++) {
            store_status(call->statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &call->statuses[i]);
            free_request(&call->requests[i]);
        }
    else if (strcmp(call->kind, "receive") == 0)
        store_status(call->statuses);
    else if (strcmp(call->kind, "communicator") == 0)
        *call->communicator = take(free_communicators, &free_communicator_count);
    else if (strcmp(call->kind, "datatype") == 0)
        *call->datatype = take(free_communicators, &free_communicator_count) | 0x08000000;
    else if (call->communicator != NULL || call->datatype != NULL) {
        int *handle = call->communicator != NULL ? call->communicator : call->datatype;
        give_back(free_communicators, &free_communicator_count, *handle & ~0x08000000);
        *handle = call->communicator != NULL ? MPI_COMM_NULL : MPI_DATATYPE_NULL;
    } else if (call->flag != NULL)
        *call->flag = fake.thread_level;
    return MPI_SUCCESS;
}

/* Requests that one thread starts and its neighbour completes. */
static struct mailbox {
    pthread_mutex_t mutex;
    MPI_Request requests[MOST_HANDED_OVER];
    int count;
} mailboxes[THREADS];

static void hand_over(struct mailbox *mailbox, MPI_Request request)
{
    pthread_mutex_lock(&mailbox->mutex);
    if (mailbox->count < MOST_HANDED_OVER) {
        mailbox->requests[mailbox->count++] = request;
        request = MPI_REQUEST_NULL;
    }
    pthread_mutex_unlock(&mailbox->mutex);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collect(struct mailbox *mailbox, bool by_waitall)
{
    MPI_Request requests[MOST_HANDED_OVER];
    pthread_mutex_lock(&mailbox->mutex);
    int count = mailbox->count;
    memcpy(requests, mailbox->requests, sizeof requests);
    mailbox->count = 0;
    pthread_mutex_unlock(&mailbox->mutex);
    if (by_waitall)
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void communicate(unsigned number, MPI_Comm communicator, MPI_Datatype datatype, int round)
{
    static char buffer[THREADS][64];
    MPI_Request requests[4];
    for (int i = 0; i < 4; i++)
        if (i % 2)
            MPI_Isend(buffer[number], 1, datatype, (round + i) % 3, i == 3 ? TAG_HANDED_OVER : TAG, communicator,
                      &requests[i]);
        else
            MPI_Irecv(buffer[number], 1, datatype, 1, 1, communicator, &requests[i]);
    MPI_Send(buffer[number], 1, datatype, 1, 1, communicator);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    hand_over(&mailboxes[(number + 1) % THREADS], requests[3]);
    MPI_Recv(buffer[number], 1, datatype, 1, 1, communicator, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    collect(&mailboxes[number], round % 2 == 0);
}

static void work(unsigned number)
{
    for (int round = 0; round < ROUNDS; round++) {
        communicate(number, MPI_COMM_WORLD, MPI_INT, round);
        if (round % 8 == 0) {
            MPI_Comm communicator;
            MPI_Datatype datatype;
            MPI_Comm_dup(communicators[number], &communicator);
            MPI_Type_contiguous(3, MPI_INT, &datatype);
            communicate(number, communicator, datatype, round);
            MPI_Type_free(&datatype);
            MPI_Comm_free(&communicator);
        }
    }
}

static int level_of(int argc, char **argv)
{
    if (argc < 2)
        return MPI_THREAD_MULTIPLE;
    return strcmp(argv[1], "serialized") == 0 ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < HANDLES; i++) {
        free_requests[free_request_count++] = (int)(0x80000000u | (unsigned)(FIRST_HANDLE + i));
        free_communicators[free_communicator_count++] = (int)(0x80000000u | (unsigned)(FIRST_COMMUNICATOR + i));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&mailboxes[i].mutex, NULL);
    const int level = level_of(argc, argv);
    stress_begin(level, perform);
    stress_run(work);
    for (int i = 0; i < THREADS; i++)
        collect(&mailboxes[i], true);
    size_t lost = level == MPI_THREAD_SERIALIZED ? shadow_live_operations() : 0;
    stress_check(lost <= THREADS * MOST_OPEN, "only what is open when the runtime learns of the threads is lost");
    const struct mpilens_operation *operation;
    for (size_t i = 0; (operation = shadow_record(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PENDING, i)) != NULL ||
                       (operation = shadow_record(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_COMPLETE, i)) != NULL;
         i++)
        fprintf(stderr, "left: request %#lx tag %d flags %#x\n", (unsigned long)operation->request, operation->tag,
                operation->flags);
    uint64_t sent = 0, expected = (uint64_t)THREADS * ROUNDS * 3;
    for (int peer = 0; peer < 3; peer++)
        sent += shadow_sent(MPI_COMM_WORLD, peer);
    stress_check(sent == expected, "every send is counted once");
    stress_check(shadow_received(MPI_COMM_WORLD, 1) + lost >= expected, "every receive is counted once");
    return stress_end(lost);
}
