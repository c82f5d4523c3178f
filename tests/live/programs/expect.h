/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a test program says what a debugger must see of it once it hangs. Each rank states its calls, messages and
 * communicators, then calls expect_ready and runs into the hang. The driver (compare.py) compares all of it with
 * `mpilens show --json`; what is not stated must not be shown.
 *
 * Lines are named by marks: the driver looks for LINE(mark) in a comment of the program and takes that line's number.
 * Text with | in it lists alternatives. None of these functions calls an MPI function that changes the state of MPI.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include <mpi.h>
#include <stddef.h>

/* One message as the rank's own call describes it, or, for an unexpected one, as the sender's call does. */
struct expected_message {
    const char *function;       /* the MPI call that describes it: of a persistent request, the one that made it */
    const char *line;           /* mark of the line of the call that started it */
    const char *status;         /* NULL: pending */
    const char *mode;           /* NULL: standard */
    const char *datatype;       /* NULL: MPI_INT; * stands for anything */
    const void *buffer;         /* NULL: not compared (unexpected messages only) */
    const MPI_Request *request; /* NULL: no request */
    long long count;            /* elements */
    long long bytes;            /* 0: count times the size of an int */
    int peer;                   /* rank in the communicator, MPI_ANY_SOURCE: any */
    int world;                  /* the same process in MPI_COMM_WORLD; not read for MPI_ANY_SOURCE */
    int tag;                    /* MPI_ANY_TAG: any */
    int blocking;
    int persistent;
    int awaited;     /* number of the thread (1: the first) whose call waits for it; 0: none, -1: not determined */
    int actual;      /* 1: source, tag and size of the message that was received are known */
    int actual_peer; /* they are compared where `actual` is 1 */
    int actual_world;
    int actual_tag;
    int actual_bytes;
};

/* One to be passed to the functions below. */
#define MESSAGE(...) ((struct expected_message){__VA_ARGS__})

struct expected_communicator;

/* To be called right after MPI_Init: bounds the life of the process. Returns the rank in MPI_COMM_WORLD. */
int expect_begin(void);

/* A communicator. `key` stands for the object: equal in all members, different for different communicators. `name`
 * NULL: none. `origin` NULL: predefined. Call it while the handle is valid. */
struct expected_communicator *expect_communicator(MPI_Comm communicator, const char *key, const char *name,
                                                  const char *origin);

/* MPI_COMM_WORLD. */
struct expected_communicator *expect_world(void);

/* Queues, in matching order. */
void expect_send(struct expected_communicator *communicator, struct expected_message message);
void expect_receive(struct expected_communicator *communicator, struct expected_message message);
void expect_unexpected(struct expected_communicator *communicator, struct expected_message message);

/* Calls of one collective class so far and those that have not returned. A class that is not named has none of either.
 */
void expect_collective(struct expected_communicator *communicator, const char *collective_class, int count, int active);

/* The call of the main thread; NULL: it is not in MPI. */
void expect_call(const char *function, const char *line);
/* The same when it is a test that is called again and again. */
void expect_polling(const char *function, const char *line);
/* The same when it is a probe; `polling`: one that is called again and again. Ranks and tag as in struct
 * expected_message. */
void expect_probe(int polling, const char *function, const char *line, int peer, int world, int tag);
/* The call of another thread, in the order in which the threads first call MPI. */
void expect_thread(int tid, const char *function, const char *line);
/* The order of messages in the queues and of threads is not determined by the program. */
void expect_any_order(void);
/* State of the process where it is not "running". */
void expect_state(const char *state);

/* Publishes all of that and tells the driver. The next MPI call is the one that hangs. */
void expect_ready(void);

/* Blocks for ever outside MPI. */
_Noreturn void expect_pause(void);

#endif
