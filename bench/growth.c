/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Does a call cost more the more there is? Runs the same calls beside few and beside many threads that have called MPI,
 * live communicators, requests in flight, and calls made so far; for callgrind and in the form of instructions.c, the
 * name followed by how many there are. Beyond a few communicators, sends on them in turn miss the thread's caches.
 *
 * growth threads | communicators | requests | "earlier calls"
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 512, MOST = 100000, TAG = 7, FIRST_TAG = 8, THREADS = 256, COMMUNICATORS = 1024 };

/* Calls to be measured; `state` is the workload's. */
struct measured_calls {
    const char *name;
    int operations; /* of one iteration that have requests */
    void (*run)(void *state, int iterations);
};

static int value;
static int received;

__attribute__((noinline, noclone)) void measured_run(const struct measured_calls *calls, void *state, int iterations);

void measured_run(const struct measured_calls *calls, void *state, int iterations)
{
    calls->run(state, iterations);
    __asm__ volatile("" ::: "memory"); /* so that this function is still on the stack */
}

static void measure(const struct measured_calls *calls, void *state, int size)
{
    calls->run(state, ITERATIONS);
    for (int times = 0; times <= 2; times++) {
        const int iterations = times > 0 ? times * ITERATIONS : 1;
        measured_run(calls, state, iterations);
        printf("%s|%d|%d|%d\n", calls->name, size, calls->operations, iterations);
    }
}

/* ---- calls ---- */

static void send_to_nobody(void *state, int iterations)
{
    (void)state;
    for (int i = 0; i < iterations; i++)
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_SELF);
}

static void exchange_with_self(void *state, int iterations)
{
    (void)state;
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[2];
        MPI_Status statuses[2];
        MPI_Irecv(&received, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &requests[0]);
        MPI_Isend(&value, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &requests[1]);
        MPI_Waitall(2, requests, statuses);
    }
}

static void duplicate_and_free(void *state, int iterations)
{
    (void)state;
    for (int i = 0; i < iterations; i++) {
        MPI_Comm communicator;
        MPI_Comm_dup(MPI_COMM_SELF, &communicator);
        MPI_Comm_free(&communicator);
    }
}

/* ---- threads that have called MPI ---- */

struct visitors {
    pthread_barrier_t called;
    pthread_barrier_t over;
};

static void *call_and_wait(void *argument)
{
    struct visitors *visitors = argument;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_SELF);
    pthread_barrier_wait(&visitors->called);
    pthread_barrier_wait(&visitors->over);
    return NULL;
}

static void with_threads(int count)
{
    static const struct measured_calls send = {"threads: Send", 0, send_to_nobody};
    static const struct measured_calls exchange = {"threads: Irecv Isend Waitall", 2, exchange_with_self};
    static const struct measured_calls duplicate = {"threads: Comm_dup Comm_free", 0, duplicate_and_free};
    struct visitors visitors;
    pthread_t threads[THREADS];
    pthread_barrier_init(&visitors.called, NULL, (unsigned)count + 1);
    pthread_barrier_init(&visitors.over, NULL, (unsigned)count + 1);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, call_and_wait, &visitors) != 0)
            exit(1);
    pthread_barrier_wait(&visitors.called);
    measure(&send, NULL, count);
    measure(&exchange, NULL, count);
    measure(&duplicate, NULL, count);
    pthread_barrier_wait(&visitors.over);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* ---- live communicators ---- */

struct communicators {
    MPI_Comm handles[COMMUNICATORS];
    int count;
};

static void send_on_each_in_turn(void *state, int iterations)
{
    const struct communicators *communicators = state;
    for (int i = 0; i < iterations; i++)
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, TAG, communicators->handles[i % communicators->count]);
}

static void with_communicators(int count)
{
    static const struct measured_calls in_turn = {"communicators: Send in turn", 0, send_on_each_in_turn};
    static const struct measured_calls exchange = {"communicators: Irecv Isend Wa", 2, exchange_with_self};
    static const struct measured_calls duplicate = {"communicators: Comm_dup free", 0, duplicate_and_free};
    static struct communicators communicators;
    communicators.count = count;
    for (int i = 0; i < count; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &communicators.handles[i]);
    measure(&in_turn, &communicators, count);
    measure(&exchange, NULL, count);
    measure(&duplicate, NULL, count);
    for (int i = 0; i < count; i++)
        MPI_Comm_free(&communicators.handles[i]);
}

/* ---- requests in flight ---- */

struct requests {
    MPI_Request handles[MOST];
    int values[MOST];
    int count;
};

static void test_each_in_turn(void *state, int iterations)
{
    struct requests *requests = state;
    int flag;
    for (int i = 0; i < iterations; i++)
        MPI_Test(&requests->handles[i * 61 % requests->count], &flag, MPI_STATUS_IGNORE);
}

/* Not the one that was posted last. */
static void complete_each_in_turn(void *state, int iterations)
{
    struct requests *requests = state;
    for (int i = 0; i < iterations; i++) {
        const int place = i * 61 % requests->count;
        MPI_Cancel(&requests->handles[place]);
        MPI_Wait(&requests->handles[place], MPI_STATUS_IGNORE);
        MPI_Irecv(&requests->values[place], 1, MPI_INT, 0, FIRST_TAG + place, MPI_COMM_SELF, &requests->handles[place]);
    }
}

static void with_requests(int count)
{
    static const struct measured_calls exchange = {"requests: Irecv Isend Waitall", 2, exchange_with_self};
    static const struct measured_calls test = {"requests: Test in turn", 0, test_each_in_turn};
    static const struct measured_calls complete = {"requests: Cancel Wait Irecv", 1, complete_each_in_turn};
    static struct requests requests;
    requests.count = count;
    for (int i = 0; i < count; i++)
        MPI_Irecv(&requests.values[i], 1, MPI_INT, 0, FIRST_TAG + i, MPI_COMM_SELF, &requests.handles[i]);
    measure(&exchange, NULL, count);
    measure(&test, &requests, count);
    measure(&complete, &requests, count);
    for (int i = 0; i < count; i++) {
        MPI_Cancel(&requests.handles[i]);
        MPI_Wait(&requests.handles[i], MPI_STATUS_IGNORE);
    }
}

/* ---- calls made so far ---- */

static void after_calls(int count)
{
    static const struct measured_calls send = {"earlier calls: Send", 0, send_to_nobody};
    static const struct measured_calls exchange = {"earlier calls: Irecv Isend Wai", 2, exchange_with_self};
    static const struct measured_calls duplicate = {"earlier calls: Comm_dup free", 0, duplicate_and_free};
    exchange_with_self(NULL, count);
    duplicate_and_free(NULL, count / 10);
    measure(&send, NULL, count);
    measure(&exchange, NULL, count);
    measure(&duplicate, NULL, count);
}

int main(int argc, char **argv)
{
    int level;
    if (argc != 2)
        return 2;
    const int kind = argv[1][0];
    MPI_Init_thread(&argc, &argv, kind == 't' ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    switch (kind) {
    case 't':
        for (int count = 1; count <= THREADS && level == MPI_THREAD_MULTIPLE; count *= 16)
            with_threads(count);
        break;
    case 'c':
        for (int count = 1; count <= COMMUNICATORS; count *= 32)
            with_communicators(count);
        break;
    case 'r':
        for (int count = 10; count <= 10000; count *= 10)
            with_requests(count);
        break;
    default:
        for (int count = 100; count <= MOST; count *= 10)
            after_calls(count);
    }
    MPI_Finalize();
    return 0;
}
