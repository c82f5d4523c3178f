/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: messages of four senders, its own among them, lie at rank 3, and are listed in the order in which receives from
 * any source would take them: as they came, or, with Open MPI, one of each sender in turn after the last one taken.
 *
 * RANKS 4
 * CHECK mpich openmpi, all forms
 */
#include "expect.h"

#include <string.h>

enum { message_count = 5, taker = 3, own_tag = 13, token_tag = 99 };

static const struct {
    int sender, tag;
} order[message_count] = {{1, 11}, {2, 12}, {0, 10}, {taker, own_tag}, {1, 21}};

/* Longer than a timer tick of the kernel, which is how exactly the runtime knows when a message was sent. */
static void let_time_pass(void)
{
    const double begin = MPI_Wtime();
    while (MPI_Wtime() - begin < 0.02) {
    }
}

/* One after the other: the taker has each message when it gets the token after it. */
static void send_all(int rank, const int *values, MPI_Request *own)
{
    for (int i = 0; i < message_count; i++) {
        if (rank == taker) {
            let_time_pass();
        }
        if (rank == taker && order[i].sender == taker) {
            MPI_Issend(values, i, MPI_INT, taker, order[i].tag, MPI_COMM_WORLD, own); /* LINE(own) */
        } else if (rank == taker) {
            MPI_Send(NULL, 0, MPI_INT, order[i].sender, token_tag, MPI_COMM_WORLD);
            MPI_Recv(NULL, 0, MPI_INT, order[i].sender, token_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == order[i].sender) {
            MPI_Recv(NULL, 0, MPI_INT, taker, token_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(values, i, MPI_INT, taker, order[i].tag, MPI_COMM_WORLD); /* LINE(send) */
            MPI_Send(NULL, 0, MPI_INT, taker, token_tag, MPI_COMM_WORLD);
        }
    }
}

static int is_open_mpi(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    return strstr(version, "Open MPI") != NULL;
}

/* Returns the sender of the last one. */
static int receive_all(MPI_Request *own)
{
    int values[message_count];
    MPI_Status status;
    for (int i = 0; i < message_count; i++) {
        MPI_Recv(values, message_count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG != order[i].tag && !is_open_mpi()) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    const int last = status.MPI_SOURCE;
    MPI_Wait(own, MPI_STATUS_IGNORE);
    return last;
}

/* The first message that is left, of the first sender after `last` that has one where senders take turns. */
static int next_message(const int *is_told, int last)
{
    int next = -1;
    for (int turn = 1; turn <= taker + 1 && next < 0; turn++) {
        for (int i = 0; i < message_count && next < 0; i++) {
            if (!is_told[i] && (!is_open_mpi() || order[i].sender == (last + turn) % (taker + 1))) {
                next = i;
            }
        }
    }
    return next;
}

static void expect_messages(struct expected_communicator *world, int last)
{
    int is_told[message_count] = {0};
    for (int told = 0; told < message_count; told++) {
        const int i = next_message(is_told, last);
        is_told[i] = 1;
        last = order[i].sender;
        const int is_own = order[i].sender == taker;
        expect_unexpected(world,
                          MESSAGE(.function = is_own ? "MPI_Issend" : "MPI_Send", .line = is_own ? "own" : "send",
                                  .mode = is_own ? "synchronous" : NULL, .blocking = !is_own, .peer = order[i].sender,
                                  .world = order[i].sender, .tag = order[i].tag, .count = i));
    }
}

int main(int argc, char **argv)
{
    int values[message_count] = {0};
    MPI_Request own;
    MPI_Init(&argc, &argv);
    int rank = expect_begin(), last = MPI_PROC_NULL;
    struct expected_communicator *world = expect_world();
    send_all(rank, values, &own);
    if (rank == taker) {
        last = receive_all(&own);
    }
    send_all(rank, values, &own);
    if (rank == taker) {
        expect_send(world, MESSAGE(.function = "MPI_Issend", .line = "own", .mode = "synchronous", .peer = taker,
                                   .world = taker, .tag = own_tag, .count = taker, .buffer = values, .request = &own));
        expect_messages(world, last);
    }
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = taker,
                                  .world = taker, .tag = 60, .count = 1, .buffer = values));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(values, 1, MPI_INT, taker, 60, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
