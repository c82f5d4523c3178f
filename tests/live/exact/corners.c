/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rare uses of messages that nobody has asked for yet: corners. Rank 1 sends; rank 0 waits until the runtime has the
 * messages in its table, where it takes any out, and then does with them what programs seldom do. Rank 0 prints what it
 * sees, which must be the same without the runtime.
 */
#define _GNU_SOURCE
#include "unexpected_table.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_rounds = 2000, large = 1 << 20, many = 20000, few_tags = 50 };

static const struct mpilens_process *process;
static int rank;
static int values[large];

static void wait_for_table(int wanted)
{
    const struct timespec time = {0, 2000000};
    for (int round = 0; process != NULL && unexpected_count(process, MPILENS_OBJECT_LIVE, NULL) < wanted; round++) {
        if (round == most_rounds) {
            fprintf(stderr, "%d messages in the table\n", unexpected_count(process, MPILENS_OBJECT_LIVE, NULL));
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        nanosleep(&time, NULL);
    }
}

/* Both ranks: the messages of the sender have been sent, and `count` of them are in the table. */
static void meet(int count)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        wait_for_table(count);
}

static void report(const char *what, int is_so)
{
    if (rank == 0)
        printf("%s: %s\n", what, is_so ? "yes" : "no");
}

static int receive_one(MPI_Comm communicator, int tag)
{
    int value = -1;
    MPI_Recv(&value, 1, MPI_INT, 1, tag, communicator, MPI_STATUS_IGNORE);
    return value;
}

static void send_one(MPI_Comm communicator, int tag, int value)
{
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 0, tag, communicator);
}

/* A communicator is freed whose attribute's callback receives on it. */
static int callback_received;

static int receive_in_callback(MPI_Comm communicator, int key, void *attribute, void *extra)
{
    (void)key;
    (void)attribute;
    (void)extra;
    if (rank == 0)
        callback_received = receive_one(communicator, 3);
    return MPI_SUCCESS;
}

static void receive_while_freeing(int disconnect)
{
    MPI_Comm communicator;
    int key, flag = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, receive_in_callback, &key, NULL);
    MPI_Comm_set_attr(communicator, key, &flag);
    send_one(communicator, 3, 30);
    meet(1);
    callback_received = 0;
    (disconnect ? MPI_Comm_disconnect : MPI_Comm_free)(&communicator);
    MPI_Comm_free_keyval(&key);
    report(disconnect ? "received while disconnecting" : "received while freeing", callback_received == 30);
}

/* A callback that takes its time inside MPI, which the runtime cannot ask meanwhile, receives. */
static int receive_late(MPI_Comm communicator)
{
    const struct timespec time = {0, 20000000};
    nanosleep(&time, NULL);
    return callback_received = receive_one(communicator, 3);
}

static int receive_in_copy(MPI_Comm communicator, int key, void *extra, void *attribute, void *ret_attribute,
                           int *ret_flag)
{
    (void)key;
    (void)extra;
    (void)attribute;
    (void)ret_attribute;
    *ret_flag = 0;
    return rank == 0 && receive_late(communicator) < 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int receive_in_deletion(MPI_Comm communicator, int key, void *attribute, void *extra)
{
    (void)key;
    (void)attribute;
    (void)extra;
    return rank == 0 && receive_late(communicator) < 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void receive_in_callbacks_of_attributes(void)
{
    MPI_Comm copy;
    int key, sum = 0;
    MPI_Comm_create_keyval(receive_in_copy, receive_in_deletion, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++)
            send_one(MPI_COMM_WORLD, 3, 31 + i);
        meet(2);
        if (i == 0) {
            MPI_Comm_dup(MPI_COMM_WORLD, &copy);
            MPI_Comm_free(&copy);
        } else if (i == 1)
            MPI_Comm_set_attr(MPI_COMM_WORLD, key, &sum);
        else
            MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
        if (rank == 0)
            sum += callback_received + receive_one(MPI_COMM_WORLD, 3);
    }
    MPI_Comm_free_keyval(&key);
    report("received in callbacks of attributes", sum == 2 * (31 + 32 + 33));
}

/* The next communicator may have the handle of one that was freed with messages left. */
static void free_with_messages_left(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        MPI_Comm communicator;
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        send_one(communicator, 1, i);
        send_one(communicator, 2, 100);
        meet(2);
        if (rank == 0)
            sum += receive_one(communicator, 1);
        MPI_Comm_free(&communicator);
    }
    report("communicators freed with messages left", sum == 45);
}

/* A receive that has its message is not cancelled. */
static void cancel_receives(int ints)
{
    int whole = 1;
    for (int persistent = 0; persistent < 2; persistent++) {
        MPI_Request request, send = MPI_REQUEST_NULL;
        MPI_Status status;
        int cancelled = -1;
        for (int i = 0; i < ints && rank == 1; i++)
            values[i] = i;
        if (rank == 1)
            MPI_Isend(values, ints, MPI_INT, 0, 6, MPI_COMM_WORLD, &send);
        meet(1);
        if (rank == 0) {
            memset(values, 0, sizeof values);
            MPI_Probe(1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* it is there, with and without the runtime */
            if (persistent) {
                MPI_Recv_init(values, ints, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
                MPI_Start(&request);
            } else
                MPI_Irecv(values, ints, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
            MPI_Cancel(&request);
            MPI_Wait(&request, &status);
            MPI_Test_cancelled(&status, &cancelled);
            if (persistent)
                MPI_Request_free(&request);
            whole = whole && !cancelled && values[ints - 1] == ints - 1;
        }
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    report(ints == large ? "large ones not cancelled" : "small ones not cancelled", whole);
}

/* Nothing in it, nobody, and statuses that nobody wants. */
static void receive_nothing(void)
{
    int flag = -1, ints = -1;
    MPI_Status status;
    MPI_Message message;
    if (rank == 1)
        for (int i = 0; i < 3; i++)
            MPI_Send(NULL, 0, MPI_INT, 0, 7, MPI_COMM_WORLD);
    meet(3);
    if (rank == 1)
        return;
    MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    report("nobody", status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Iprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, &flag, &status);
    report("nobody probed", flag && status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Mprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, &message, &status);
    report("nobody's message", message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(NULL, 0, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(NULL, 0, MPI_INT, &message, &status);
    MPI_Get_count(&status, MPI_INT, &ints);
    report("empty", ints == 0 && status.MPI_SOURCE == 1 && status.MPI_TAG == 7);
    MPI_Recv(NULL, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The functions with large counts. */
static void receive_large_counts(void)
{
#if MPI_VERSION >= 4
    MPI_Request request;
    int sum = 0, value = 0, flag = 0;
    for (int i = 0; i < 4; i++)
        send_one(MPI_COMM_WORLD, 8, 1 << i);
    meet(4);
    if (rank == 1)
        return;
    MPI_Recv_c(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += value;
    MPI_Irecv_c(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += value;
    MPI_Recv_init_c(&value, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    sum += value;
    MPI_Sendrecv_c(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += value;
    MPI_Iprobe(1, 8, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    report("large counts", sum == 15 && !flag);
#else
    report("large counts", 1);
#endif
}

/* Partitioned transfers match each other only, whatever else has come with their tag. */
static void start_partitioned(void)
{
#if MPI_VERSION >= 4
    MPI_Request request;
    int parts[2] = {rank * 11, rank * 12};
    send_one(MPI_COMM_WORLD, 9, 90);
    meet(1);
    if (rank == 1)
        MPI_Psend_init(parts, 2, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(parts, 2, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; round++) {
        MPI_Start(&request);
        for (int i = 0; i < 2 && rank == 1; i++)
            MPI_Pready(i, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    report("partitioned", rank == 1 || (parts[0] == 11 && parts[1] == 12 && receive_one(MPI_COMM_WORLD, 9) == 90));
#else
    report("partitioned", 1);
#endif
}

static long resident_pages(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*s %ld", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages;
}

/* Looking does not make the library store data that was not transferred yet. */
static void hold_large_messages(void)
{
    enum { messages = 16 };
    MPI_Request requests[messages];
    const long before = resident_pages();
    for (int i = 0; i < messages && rank == 1; i++)
        MPI_Issend(values, large, MPI_INT, 0, 10, MPI_COMM_WORLD, &requests[i]);
    meet(messages);
    const long more = (resident_pages() - before) * sysconf(_SC_PAGESIZE);
    report("no memory for payload", more < (long)sizeof values * messages / 2);
    for (int i = 0; i < messages && rank == 0; i++)
        MPI_Recv(values, large, MPI_INT, 1, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) {
        MPI_Status statuses[messages];
        MPI_Waitall(messages, requests, statuses);
    }
}

/* Many, received with the last tag first. */
static void hold_many_messages(void)
{
    int wrong = 0;
    for (int i = 0; i < many; i++)
        send_one(MPI_COMM_WORLD, 100 + i % few_tags, i);
    meet(many);
    for (int tag = few_tags - 1; tag >= 0 && rank == 0; tag--)
        for (int i = tag; i < many; i += few_tags)
            wrong += receive_one(MPI_COMM_WORLD, 100 + tag) != i;
    report("many in order", wrong == 0);
}

/* A child has no thread of the runtime, and ends as without it. */
static void leave_child(void)
{
    int status = -1;
    send_one(MPI_COMM_WORLD, 11, 110);
    meet(1);
    if (rank == 1)
        return;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        _exit(3);
    waitpid(child, &status, 0);
    report("child", WIFEXITED(status) && WEXITSTATUS(status) == 3 && receive_one(MPI_COMM_WORLD, 11) == 110);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    process = exact_process();
    receive_while_freeing(0);
    receive_while_freeing(1);
    receive_in_callbacks_of_attributes();
    free_with_messages_left();
    cancel_receives(10);
    cancel_receives(large);
    receive_nothing();
    receive_large_counts();
    start_partitioned();
    hold_large_messages();
    hold_many_messages();
    leave_child();
    MPI_Finalize();
    return 0;
}
