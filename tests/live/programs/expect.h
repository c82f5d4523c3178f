/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A test program declares the exact expected output of a debugger once it hangs. Each rank states its calls, messages
 * and communicators, then calls expect_ready and runs into the hang. The driver (compare.py) compares all of it with
 * `mpilens show --json`; undeclared facts must not appear.
 *
 * Lines are named by marks: the driver looks for LINE(mark) in a comment of the program and takes that line's number.
 * Text with | in it lists alternatives. None of these functions calls an MPI function that changes the state of MPI.
 */
#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

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
    int partitions;  /* of partitioned communication; 0: it is none */
    int marked;      /* of those, ready or seen to have arrived */
    int actual;      /* 1: source, tag and size of the message that was received are known */
    int actual_peer; /* they are compared where `actual` is 1 */
    int actual_world;
    int actual_tag;
    int actual_bytes;
};

/* One to be passed to the functions below. */
#define MESSAGE(...) ((struct expected_message){__VA_ARGS__})

struct expected_communicator;

/* An operation that is not a message and has a request, or had one that was freed. */
struct expected_request {
    const char *request_class;    /* "collective", "one-sided", "file", "communicator", "generalized", or, of inactive
                                     persistent ones, "send" or "receive" */
    const char *function;         /* the MPI call that describes it: of a persistent request, the one that made it */
    const char *line;             /* mark of the line of the call that started it */
    const char *status;           /* NULL: pending */
    int collective;               /* which collective call on its communicator it is, from 1; 0: none */
    const char *datatype;         /* NULL: none, and then no count */
    const void *buffer;           /* NULL: none */
    const MPI_Request *request;   /* NULL: none any more */
    const MPI_Comm *communicator; /* NULL: none */
    const void *object;           /* handle of the window, file or new communicator; NULL: none */
    size_t object_bytes;          /* size of that handle */
    long long count;              /* elements */
    int has_root;
    int root; /* root's rank in the communicator, in these programs also in MPI_COMM_WORLD: */
    int has_target;
    int target; /* of one-sided communication */
    int has_peer;
    int peer; /* of an inactive send or receive; and its tag */
    int tag;
    int partitions; /* 0: not partitioned */
    int persistent;
    int awaited; /* as in struct expected_message */
};

/* One to be passed to expect_request. */
#define REQUEST(...) ((struct expected_request){__VA_ARGS__})

/* The object that a handle names. */
struct expected_object {
    const char *kind;   /* "communicator", "datatype", "errhandler", "file", "group", "info", "op", "window", "session",
                           "message", "keyval", "attribute" */
    const void *handle; /* address of the handle; NULL: attributes have none */
    size_t handle_bytes;  /* its size */
    const char *name;     /* NULL: none */
    const char *function; /* that made it; NULL: predefined, or an attribute */
    const char *line;     /* mark of its line; NULL: not made by a call */
    const char *detail;   /* further members of the JSON object, as JSON; NULL: none are compared */
    int freed;            /* 1: by the application, but something refers to it */
    int references;       /* times that it must still be freed; 0: once */
};

/* To be passed to expect_object: OBJECT("group", group, .function = ...). */
#define OBJECT(kind_, variable, ...)                                                                                   \
    ((struct expected_object){.kind = (kind_), .handle = &(variable), .handle_bytes = sizeof(variable), __VA_ARGS__})

/* To be called right after MPI_Init: bounds the life of the process. Returns the rank in MPI_COMM_WORLD. */
int expect_begin(void);
/* As expect_begin, without MPI_COMM_WORLD. */
void expect_begin_without_world(int rank);

/* A communicator. `key` stands for the object: equal in all members, different for different communicators. `name`
 * NULL: none. `origin` NULL: predefined. Call it while the handle is valid. */
struct expected_communicator *expect_communicator(MPI_Comm communicator, const char *key, const char *name,
                                                  const char *origin);

/* One that must not be asked for its rank and size, as it is still being made. */
struct expected_communicator *expect_communicator_in_making(MPI_Comm communicator, const char *key, const char *origin,
                                                            int rank, int size);

/* MPI_COMM_WORLD. */
struct expected_communicator *expect_world(void);

/* Queues, in matching order. */
void expect_send(struct expected_communicator *communicator, struct expected_message message);
void expect_receive(struct expected_communicator *communicator, struct expected_message message);
void expect_unexpected(struct expected_communicator *communicator, struct expected_message message);

/* Calls of one collective class so far and those that have not returned. A class that is not named has none of either.
 */
void expect_collective(struct expected_communicator *communicator, const char *collective_class, int count, int active);

/* Requests that are not messages. In any order. */
void expect_request(struct expected_request request);

/* Objects that are alive or referred to. A program that states one states all of them. */
void expect_object(struct expected_object object);
/* There is none. */
void expect_no_objects(void);

/* The call of the main thread; NULL: it is not in MPI. */
void expect_call(const char *function, const char *line);
/* The same when it is a test that is called again and again. */
void expect_polling(const char *function, const char *line);
/* The same when it is a probe; `polling`: one that is called again and again. Ranks and tag as in struct
 * expected_message. */
void expect_probe(int polling, const char *function, const char *line, int peer, int world, int tag);
/* As expect_call, with the object that it works on, as CALL_ON("window", window). */
void expect_call_on(const char *function, const char *line, const char *kind, const void *handle, size_t handle_bytes);
#define CALL_ON(kind, variable) (kind), &(variable), sizeof(variable)
/* The call of another thread, in the order in which the threads first call MPI. */
void expect_thread(int tid, const char *function, const char *line);
/* The order of messages in the queues and of threads is not determined by the program. */
void expect_any_order(void);
/* To be called before MPI_Finalize when expect_ready comes after it: nothing is left, and no MPI function is called any
 * more. */
void expect_finalized(void);
/* State of the process where it is not "running". */
void expect_state(const char *state);

/* Publishes all of that and tells the driver. The next MPI call is the one that hangs. */
void expect_ready(void);

/* Blocks for ever outside MPI. */
_Noreturn void expect_pause(void);

#endif
