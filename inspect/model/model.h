/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job in memory: filled once, then read.
 */
#ifndef MPILENS_INSPECT_MODEL_MODEL_H
#define MPILENS_INSPECT_MODEL_MODEL_H

#include "base/base.h"
#include "kernel/kernel.h"
#include "mpilens/extension.h"
#include "mpilens/layout.h"
#include "mpilens/message_queue.h"
#include "target/target.h"
#include "text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_index;
struct target;

/* -- group.c -- Groups of processes as ranks of MPI_COMM_WORLD, in ranges with stride: regular groups are small
 * whatever their number of members. Equal groups of a job are stored once, so they have the same address.
 */

/* Larger world sizes are treated as corrupt. */
enum { MOST_RANKS = 1 << 24 };

struct group_range {
    int32_t first; /* world rank, the next are first + stride, ...; -1: of another world, not known */
    int32_t stride;
    int32_t count;
    int32_t local; /* rank in the group of the first */
};

struct group {
    int32_t size;
    size_t range_count;
    struct group_range *ranges; /* by local rank; equal groups have equal ranges */
    struct group_range *lookup; /* by world rank, without what is not known; no two overlap */
    size_t lookup_count;
};

/* Zero-initialised is empty. */
struct group_pool {
    void *root; /* tsearch tree of struct group */
};

/* The group with these members in the order of their ranks; negative: not known. Valid until the pool is cleared.
 * NULL: more than MOST_RANKS members. */
const struct group *group_pool_add_ranks(struct group_pool *pool, const int *world_ranks, size_t count);
/* As group_pool_add_ranks, for ranges. NULL: more than INT32_MAX members, more than MOST_RANKS known ones, a negative
 * count, or impossible world ranks. */
const struct group *group_pool_add_ranges(struct group_pool *pool, const struct mpilens_rank_range *ranges,
                                          size_t count);
void group_pool_clear(struct group_pool *pool);

/* World rank of the member `local`; -1: not known, or there is no such member. Of NULL, nothing is known. */
int32_t group_world_rank(const struct group *group, int32_t local);
/* Rank in the group of the world rank; -1: not a member, as far as known. Of several (a broken group): any of them. */
int32_t group_local_rank(const struct group *group, int32_t world);

/* -- model_objects.c --
 * The part of the model that is not about messages: requests of other classes, and objects. As in this file, not known
 * is -1 where signed, 0 where it is an address, handle or serial, "" or NULL where it is text.
 */

/* An operation outside all queues: neither send nor receive, or a persistent request that is not active. */
struct request {
    uint64_t serial;          /* of the operation, unique in its process */
    uint32_t operation_class; /* the one flag of MPILENS_OPERATION_* that tells the class */
    uint32_t flags;           /* MPILENS_OPERATION_* */
    uint32_t state;           /* enum mpilens_operation_state */
    uint32_t purpose;         /* enum mpilens_purpose, of `function` */
    bool active;
    bool complete;
    bool persistent;
    bool has_root; /* peer is the root */
    bool tag_wild;
    double age_s;
    const char *function;
    const char *datatype;
    uint64_t site_address;
    const struct site *site;
    uint64_t handle;
    uint64_t communicator_id;
    uint32_t object_kind; /* enum mpilens_object_kind */
    uint32_t object_serial;
    uint64_t buffer;
    uint64_t collective; /* n-th collective call on the communicator, 0: not one */
    int64_t offset;      /* in the file */
    int64_t count;
    int64_t bytes;
    int64_t partition_count;
    int32_t peer_local; /* root, target, destination or source */
    int32_t peer_world;
    int32_t tag; /* of messages, where tag_wild is false */
};

struct window_lock {
    int32_t target_local;
    int32_t target_world;
    uint32_t type; /* enum mpilens_lock_type */
    uint64_t site_address;
    const struct site *site;
    double age_s;
};

struct window {
    uint64_t id;             /* equal at all members */
    uint32_t flavor;         /* enum mpilens_window_flavor */
    uint32_t access_epoch;   /* enum mpilens_epoch */
    uint32_t exposure_epoch; /* enum mpilens_epoch */
    int32_t displacement_unit;
    uint64_t base;
    uint64_t bytes;
    uint64_t operations;
    uint64_t operations_since;   /* the last call that completed all */
    uint64_t collective_count;   /* fences and the like begun on it */
    uint64_t errhandler;         /* handle */
    uint64_t synchronizations;   /* calls that have returned */
    const char *synchronization; /* the last of them */
    uint64_t synchronization_site_address;
    const struct site *synchronization_site;
    double synchronization_age_s;
    struct window_lock *locks; /* that the process has on other processes' memory */
    size_t lock_count;
    const struct group *access_group;   /* of MPI_Win_start, in job.groups; NULL: none or not known */
    const struct group *exposure_group; /* of MPI_Win_post, in job.groups; NULL: none or not known */
};

struct file {
    uint64_t id;   /* equal at all members */
    uint32_t mode; /* MPILENS_FILE_* */
    bool atomicity;
    int64_t view_displacement;
    const char *view_etype;
    const char *view_filetype;
    const char *view_representation;
    const char *split_collective;
    uint64_t split_collective_site_address;
    uint64_t operations;
    uint64_t collective_count; /* collective calls begun on it, nonblocking ones left out */
    uint64_t errhandler;       /* handle */
};

/* The amount that a process gives to another one in a collective call, and the amount that it expects, for calls with
 * arrays of counts. */
struct collective_amount {
    int32_t peer_world; /* one entry for each */
    int64_t given;      /* bytes */
    int64_t expected;
};

struct collective_call {
    uint64_t serial; /* n-th on its communicator, window or file, from 1 */
    double age_s;
    uint64_t site_address;
    const struct site *site;
    const char *function;
    uint32_t purpose;         /* enum mpilens_purpose, of `function` like the next four */
    int32_t collective_class; /* enum mpilens_collective_class */
    uint32_t data_flow;       /* enum mpilens_data_flow */
    uint32_t agreement;       /* MPILENS_AGREE_* */
    const char *small_count;  /* function of which it is the large-count variant; "" or NULL: none */
    const char *datatype;
    const char *arguments; /* that all must give alike to a call without data: "size 4096"; but for what is behind a
                            * semicolon, the name of a file; "" or NULL: none, or not known */
    uint64_t op;
    const char *op_name; /* of a predefined op */
    uint64_t buffer;
    int64_t count;
    int64_t bytes;
    uint64_t signature; /* of the types of what is given; 0: not comparable, or not known */
    int32_t root;
    bool has_own_op; /* one that the application has made */
    bool has_root;
    bool active;
    struct collective_amount *amounts; /* by peer_world; of a call that is not active as the arrays are now; NULL: none,
                                        * or not known */
    size_t amount_count;
};

/* The function of a call without regard to whether its counts are large: MPI_Bcast of MPI_Bcast_c. `small_count`: as
 * above. */
const char *function_of_any_count(const char *function, const char *small_count);

/* Gives back an array of them. */
void collective_calls_clear(struct collective_call *calls, size_t count);

/* An object that a handle of the application names, or an attribute. */
struct object {
    uint32_t kind; /* enum mpilens_object_kind */
    uint32_t serial;
    uint64_t handle;
    const char *name;
    uint32_t references; /* times that the application must still free it */
    uint32_t users;
    bool freed;
    const char *function; /* that made it */
    uint64_t site_address;
    const struct site *site;
    double age_s;
    uint64_t communicator_id;            /* of communicators, windows, files, messages */
    struct window *window;               /* NULL: not one */
    struct file *file;                   /* NULL: not one */
    struct collective_call *collectives; /* the last ones on a window or file, oldest first */
    size_t collective_call_count;
};

/* Remains of a communicator, window or file that the process has freed. */
struct freed_object {
    uint32_t kind;         /* enum mpilens_object_kind */
    uint64_t id;           /* equal at all members */
    uint64_t calls;        /* collective ones that it has begun on it, the one that freed it among them */
    const char *function;  /* that freed it; "": not seen */
    uint64_t site_address; /* of that */
    const struct site *site;
    double age_s;
    const char *last_function; /* the collective call before; "": none, or not known */
    uint64_t last_site_address;
    const struct site *last_site;
};

/* How many calls that was, as far as those that free count. */
uint64_t freed_object_calls(const struct freed_object *object, bool with_freeing);

/* A window or file that the process has freed: only the calls made on it count, for those that still have it. */
bool object_is_left(const struct object *object);

/* Gives back what belongs to it. */
void object_clear(struct object *object);
void window_destroy(struct window *window); /* NULL is fine */

/* -- operation_details.c -- Details that many operations of a job share: their calls and arguments. Stored once for all
 * of them, so that a job may have millions. As in this file, not known is -1 where signed, 0 where it is an address,
 * handle or serial, "" where it is text.
 */

struct operation_details {
    const char *function;
    const char *datatype;
    uint64_t datatype_handle;
    uint64_t site_address; /* of an unexpected message: in the sender */
    const struct site *site;
    int64_t count;
    int64_t bytes;
    int64_t actual_bytes;
    int64_t partition_count;   /* of a partitioned operation */
    int64_t partitions_marked; /* ready, or seen to have arrived */
    uint32_t purpose;          /* enum mpilens_purpose, of `function` */
};

/* Zero-initialised is empty. */
struct operation_details_pool {
    void *root;                           /* tsearch tree of struct operation_details */
    const struct operation_details *last; /* the details asked for last; mostly also the next operation's */
};

/* The pool's copy, valid until the pool is cleared; the same for the same texts, places and numbers. Texts and places
 * last as long as the pool, and are the same where they have the same address. */
const struct operation_details *operation_details_share(struct operation_details_pool *pool,
                                                        const struct operation_details *details);
void operation_details_pool_clear(struct operation_details_pool *pool);

/* -- model.c -- A job in memory. A collector fills it once from the processes of the job; verbs and renderers only read
 * it. All of it belongs to its struct job.
 *
 * Not known is -1 where signed, 0 where it is an address, handle or serial, "" or NULL where it is text. Text without
 * another owner stands in job.names. Ages are seconds. Ranks named world are of MPI_COMM_WORLD; ranks named local are
 * of the communicator, and of its remote group where it is an intercommunicator and the rank is a peer.
 */

/* A send, a receive, or a message that has arrived unexpectedly. It begins as a struct mpilens_matched_operation
 * (mpilens/extension_matching.h): the DLL fills in what is known of the send or receive at the other end. */
struct operation {
    uint64_t serial; /* unique in its process; of an unexpected message: serial of the send in the sender */
    uint64_t posted; /* ticks of its process */
    double age_s;
    uint64_t match_serial; /* of the other one; 0: not known, or a matched probe */
    uint32_t flags;        /* MPILENS_OPERATION_* */
    int32_t status;        /* enum mqs_status */
    int32_t peer_local;    /* -1: any source */
    int32_t peer_world;    /* -1: any source or not known */
    int32_t tag;           /* where tag_wild is false */
    int32_t actual_local;
    int32_t actual_world;
    int32_t actual_tag;        /* where actual_local is known */
    int32_t match_rank;        /* world rank of the process where the other one is, -1: none, or not known */
    uint32_t unexpected_at;    /* while messages are matched */
    uint32_t unexpected_place; /* while messages are matched */
    bool tag_wild;
    bool match_is_possible; /* several senders could match: it may be another one than match_rank says, or none; where
                             * that is -1, there may be one */
    bool received;          /* of a send: the message was received, whether the send is pending or not */
    bool found_arrived;     /* while messages are matched */
    /* Of unexpected messages, how they are known: one of these. */
    bool inferred;  /* from what sender and receiver remember */
    bool exact;     /* MPI itself had it; of its send nothing need be known (`serial` 0, `function` empty) */
    uint32_t state; /* enum mpilens_operation_state */
    uint64_t request;
    uint64_t buffer;
    const struct operation_details *details; /* of job.details */
};

struct operations {
    struct operation *items;
    size_t count;
};

/* A message that a matched probe has taken. */
struct matched_message {
    uint64_t handle;
    uint64_t site_address;
    const struct site *site;
    double age_s;
    const char *function;
    int32_t source_local;
    int32_t source_world;
    int32_t tag;
    int64_t bytes;
};

/* Messages between the process and one peer on one communicator. */
struct channel {
    int32_t peer_local;
    int32_t peer_world;
    uint64_t sent;
    uint64_t received;
};

struct collective_class {
    const char *name;
    uint64_t count;
    uint32_t active;
};

/* A sample of an old collective call. */
struct collective_mark {
    uint64_t serial; /* n-th on its communicator */
    const char *function;
    uint64_t site_address;
    const struct site *site;
    int32_t root;            /* -1: none */
    const char *small_count; /* as of a collective call */
    uint64_t begun;          /* collective_count of the communicator at the end of the call */
    uint64_t root_sum;       /* as of the communicator then */
};

struct communicator {
    uint64_t id; /* equal at all members */
    uint64_t handle;
    uint64_t parent_id;
    uint64_t parent_handle;
    double age_s;
    uint64_t site_address; /* of the call that made it */
    const struct site *site;
    const char *name;        /* of the application or predefined */
    const char *function;    /* that made it */
    const char *parent_name; /* of the communicator that it was made from */
    int32_t rank;
    int32_t size;
    int32_t remote_size; /* 0: intracommunicator */
    uint32_t serial;     /* counts the communicators of the process */
    bool predefined;
    bool intercommunicator;
    bool freed;
    uint64_t collective_count; /* collective calls begun on it, constructors among them */
    uint64_t root_sum; /* 1 and the roots of all of these that have one, equal at all members of an intracommunicator
                        * that have begun as many; 0: not known */
    uint64_t constructor_count;       /* calls begun that make a communicator of it and that all its members make */
    uint64_t errhandler;              /* handle */
    const struct group *group;        /* of job.groups; NULL: not known */
    const struct group *remote_group; /* of job.groups; NULL: not known, or an intracommunicator */
    const struct group *sources; /* of this process in neighborhood collectives, in any order; NULL: no topology, or
                                  * not known */
    const struct group *destinations; /* as `sources` */

    struct operations sends; /* in matching order, like the next two */
    struct operations receives;
    struct operations unexpected;
    struct operations completed; /* the flight recorder, oldest first */
    uint64_t unexpected_unknown; /* messages under way to here of which nothing but their number is known */
    uint64_t unreceived_growth; /* unreceived messages more than in the first sample, if none was received meanwhile; 0:
                                 * none, or not known */

    struct matched_message *messages;
    size_t message_count;
    struct channel *channels;
    size_t channel_count;
    struct collective_class *classes;
    size_t class_count;
    struct collective_call *collectives; /* the last ones, oldest first */
    size_t collective_call_count;
    struct collective_mark *marks; /* oldest first */
    size_t mark_count;
};

struct thread {
    uint32_t index;
    uint32_t tid;
    bool ended;
    bool polling;
    uint32_t call_class;      /* enum mpilens_call_class, of `function` like the next three */
    uint32_t purpose;         /* enum mpilens_purpose */
    uint32_t completion;      /* enum mpilens_completion */
    int32_t collective_class; /* enum mpilens_collective_class */
    const char *function;     /* "": not in MPI */
    uint64_t site_address;
    const struct site *site;
    const struct site *python_site; /* the line of Python that it stands in; NULL: in no Python, or not known */
    const char *handling;     /* the exception that it handles: "ValueError: no cell, raised in step (solver.py:12)"; ""
                               * or NULL: none is known */
    uint64_t entered;         /* ticks of its process, of the same moment as age_s */
    double age_s;             /* since it entered the call; when polling: since the first fruitless one of this kind;
                               * not in MPI: since it entered the last one that started no operation */
    double idle_s;            /* when polling: since the last fruitless one */
    uint64_t polls;           /* fruitless calls in a row */
    uint64_t communicator_id; /* of a collective, constructor, probe, or call on a window or file */
    uint64_t peer_communicator_id; /* in which the leader of one side of an intercommunicator finds the other one, which
                                    * is its peer then; 0: another call, or not the leader */
    int32_t peer_local;            /* of a probe, or the target of a one-sided call */
    int32_t peer_world;
    int32_t tag;
    bool tag_wild;
    const struct group *group; /* whose members make the call, of MPI_Comm_create_group; NULL: another call */
    uint64_t completions;
    uint64_t operation_serial; /* of the last operation that it started */
    uint64_t *waiting;         /* serials of what it waits for */
    size_t waiting_known;      /* elements of `waiting` */
    uint64_t waiting_count;    /* how many it waits for */
    uint32_t object_kind;      /* enum mpilens_object_kind: window or file that the call works on */
    uint32_t object_serial;
    uint32_t lock_type;         /* enum mpilens_lock_type, of MPI_Win_lock; 0: another call */
    bool waits_for_threads;     /* it is not in MPI, and goes on only when another thread of its process acts */
    bool stalled;               /* in this call as long as the job was watched */
    bool called_meanwhile;      /* it is not in MPI, but was while the job was watched */
    struct thread *other_polls; /* when polling: its other polls in turn, each as a thread that makes this poll alone */
    size_t other_poll_count;
    bool more_polls;     /* and it makes others, which are not known */
    const char *spawned; /* in MPI_Comm_spawn: "process 4711 (sleep)", those that stand still and can never join;
                          * "" or NULL: none are known */
};

/* A call that MPI has failed, or MPI_Abort: one for each place, function and error class, as the last such call was. */
struct failed_call {
    uint64_t serial; /* n-th failed call of the process; of the last one */
    uint64_t count;  /* such calls */
    double age_s;    /* since the last one failed */
    double first_age_s;
    const char *function;
    const char *small_count; /* as of a collective call */
    uint32_t call_class;     /* enum mpilens_call_class */
    uint32_t purpose;        /* enum mpilens_purpose */
    uint64_t site_address;
    const struct site *site;
    const char *request_function; /* that started what it waited for; "": none */
    uint64_t request_site_address;
    const struct site *request_site;
    uint64_t communicator_id;
    uint64_t collective;  /* serial of the call on that communicator; 0: no collective call */
    int64_t amount;       /* elements */
    int64_t bytes;        /* of a receive: that it has room for */
    int64_t actual_bytes; /* of a message that was too long for it */
    const char *datatype;
    uint32_t operation; /* MPILENS_OPERATION_*: operation that it started or waited for; 0: not known */
    bool has_peer;      /* of the next ones, which say what the program gave, right or wrong */
    bool has_tag;
    bool tag_wild;
    bool has_root;
    int32_t peer_local; /* -1: any */
    int32_t peer_world;
    int32_t tag;
    int32_t root;
    int32_t error;           /* code as MPI gave it; of MPI_Abort: as the program did */
    const char *error_class; /* "MPI_ERR_TRUNCATE"; "": not known, or MPI_Abort */
    const char *text;        /* MPI's text for the error code */
    bool is_under_way;       /* its error handler has not returned, and the thread is in the call */
    bool is_returned;        /* the program has got the error code */
};

enum process_state {
    PROCESS_UNREADABLE, /* see `reason` */
    PROCESS_INITIALIZING,
    PROCESS_RUNNING,
    PROCESS_FINALIZING,
    PROCESS_FINALIZED,
    PROCESS_EXITED,
};

/* How the program in a process has ended, or is about to, that is still there. */
enum program_end {
    PROGRAM_RUNS,   /* as far as is known */
    PROGRAM_ENDS,   /* well, or it is not known why */
    PROGRAM_FAILED, /* of an exception that nothing has caught */
};

/* Threads of one process, other than its main thread, that are not in MPI and stand at the same place. */
struct thread_place {
    const char *stack;      /* "flock < compute (solve.c:41) < work (solve.c:9)" */
    const char *called;     /* of that, "flock": the function of the system that the program has called; "": none */
    const char *innermost;  /* of that, "compute (solve.c:41)" */
    uint32_t activity;      /* enum process_activity */
    uint32_t threads;       /* their number */
    bool waits_for_threads; /* as of a thread below */
};

enum stack_line_kind {
    STACK_LINE_PROGRAM, /* a function of the program, or of a library that is no part of the system */
    STACK_LINE_LIBRARY, /* functions of the system that call each other */
    STACK_LINE_MPI,     /* functions of the MPI library and the runtime that call each other */
    STACK_LINE_KINDS,
};

/* A function that a thread is in, or several of libraries together. */
struct stack_line {
    uint32_t kind;           /* enum stack_line_kind */
    uint64_t address;        /* where it stands, or goes on; of several functions: the one that called or was called */
    const struct site *site; /* of that; NULL: in no module */
    const char *function;    /* of a library: the function called there: "MPI_Allreduce", "nanosleep" */
    uint32_t frames; /* that it stands for; of STACK_LINE_PROGRAM: calls of a function by itself from one line */
    bool is_inlined; /* into the next */
};

/* How a thread has come to where it is. */
struct call_stack {
    uint32_t tid;
    struct stack_line *lines; /* innermost first; without what starts programs and threads */
    size_t line_count;
    const char *inside; /* of a thread that stands still in MPI, the functions that MPI has called there, innermost
                         * first: "epoll_wait < MPIDI_progress"; "" or NULL: not known */
    bool is_cut;        /* outer lines are missing, or all: the process has too many threads */
};

/* Facts from the stack of a thread, in a process that lacks tables. */
struct seen_thread {
    uint32_t tid;
    uint32_t activity;         /* enum process_activity */
    const char *function;      /* of MPI, the outermost that it is in; "": in none */
    const char *arguments;     /* of that, as far as its caller's debug information tells them: "count 16, tag 8"; "" or
                                * NULL: none are known */
    const char *called;        /* not in MPI: the function of the system that its program has called; "": none */
    uint64_t address;          /* where it has called MPI or, not in MPI, where it is for its user; 0: not known */
    const struct site *site;   /* of that; NULL: not known */
    uint64_t trail;            /* equal for equal callers of that place in one process */
    uint64_t caller_stack;     /* digest of what its callers have on the stack, equal while its call does not return;
                                * 0: not known */
    uint64_t caller_registers; /* the same of registers */
    bool is_called_back;       /* MPI has called a function of the program again, as a callback */
    bool is_unchanged;         /* it was seen so in the first sample, too: it may have gone round in a loop since */
};

struct process {
    int rank;         /* in MPI_COMM_WORLD */
    int size;         /* of MPI_COMM_WORLD */
    pid_t pid;        /* 0: not known */
    char *host;       /* NULL: not known */
    char *executable; /* NULL: not known */
    char *core;       /* path, NULL: a live process */
    enum process_state state;
    char *reason;                     /* why it could not be read, NULL: it was */
    struct seen_thread *seen_threads; /* of a process that lacks tables: the main thread first, then those with a
                                       * function of the program; none: its stacks were not read */
    size_t seen_thread_count;
    size_t part;       /* its number in job.parts, from 1; 0: the job was read as one */
    bool lacks_tables; /* its runtime, if there is one, has written nothing down, as `reason` says: only its stacks tell
                        * what it does */
    bool evades_runtime;     /* it has a runtime, and is in MPI all the same: its calls do not come by there */
    bool is_lost;            /* its host has not answered, for `reason` */
    bool is_saved;           /* read out of the tables of a snapshot, not out of memory */
    bool is_named;           /* the user has asked for this process itself, not for its job */
    bool is_identified_only; /* nothing was read of what it has: how much of that is missing is not known */
    bool is_before_mpi;      /* it is there and has not called MPI so far, nor perhaps loaded it; `reason` says so */
    uint32_t activity;       /* enum process_activity */
    double age_s; /* of a process that is there and has not called MPI, or lacks tables, since it was started; -1: not
                     known */
    double read_at_s;      /* CLOCK_MONOTONIC here; -1: not known, as of cores */
    double cpu_time_s;     /* until then */
    double ages_end_s;     /* seconds since 1970: ages of what it has are until then; 0: not known */
    const char *place;     /* where the main thread is while it is not in MPI, or a thread that it waits for: "compute
                            * (solve.c:41)" */
    const char *stack;     /* how the main thread came to where it is: "compute (solve.c:41) < main (main.c:9)" */
    const char *called;    /* the function of the system that the main thread's program has called; "": none */
    bool place_has_called; /* `place` is where that was called */
    const char *waits_for; /* in a system call: "waiting to open input.fifo"; "": not known */
    uint32_t ends;         /* enum program_end */
    const char *end;       /* in words that follow what it does: "after the uncaught exception ValueError: no cell" */
    struct thread_place *thread_places;
    size_t thread_place_count;
    struct call_stack *call_stacks; /* of all threads, the main one first; none: they were not read */
    size_t call_stack_count;
    struct kernel_facts *kernel; /* of its thread that stands still in MPI; NULL: none does, or it was not looked at */
    uint32_t unseen_threads; /* that have not called MPI so far, but may at any time: they wait for no other thread */
    int thread_level;        /* enum mpilens_thread_level, -1: not known */
    uint64_t untracked_operations;
    uint64_t untracked_objects;
    uint64_t memory_bytes;
    uint64_t torn_records;
    const char *library_version;
    const char *runtime_version;
    const char *job_identity;  /* its job's identity, as its runtime noted it; "": not known */
    bool synchronous_sends;    /* it makes standard sends as synchronous ones */
    bool senders_in_turn;      /* its MPI looks for messages of any source one sender after the other */
    uint32_t unexpected_mode;  /* enum mpilens_unexpected_mode */
    double unexpected_as_of_s; /* of exact ones: how long ago MPI had no others; -1: never, or not known */
    struct thread *threads;
    size_t thread_count;
    struct communicator *communicators;
    size_t communicator_count;
    struct request *requests; /* in the order in which they were made */
    size_t request_count;
    struct object *objects; /* by kind; predefined ones are none, freed ones only where something refers to them */
    size_t object_count;
    struct failed_call *failed_calls; /* in the order in which the places first failed */
    size_t failed_call_count;
    struct freed_object *freed_objects; /* the last ones, oldest first */
    size_t freed_object_count;
    uint64_t buffer; /* attached by MPI_Buffer_attach */
    uint64_t buffer_bytes;
    struct target *target;       /* closed with the job; NULL: could not be opened */
    struct process_index *index; /* see process_index.c; NULL: there is none */
};

/* One of the readings that a job was put together from, such as the snapshot of one host. Texts stand in job.names. */
struct job_part {
    const char *name;     /* the file, or "the processes of this host" */
    const char *identity; /* of the job, as below; "": not known */
    const char *mpi;      /* of the job, as below; "": not known */
    const char *runtime_version;
    int size;      /* of MPI_COMM_WORLD, -1: not known */
    size_t ranks;  /* that were read in it and count */
    int samples;   /* how often it was read */
    int64_t taken; /* seconds since 1970, by the clock of its host; 0: it is not saved */
    bool is_saved; /* read out of a snapshot */
};

struct job {
    char *id;
    char *identity;            /* as noted by the runtimes of its processes; NULL: not known */
    int size;                  /* of MPI_COMM_WORLD, -1: not known */
    char *mpi;                 /* "MPICH 4.0.2"; NULL: not known */
    pid_t launcher_pid;        /* 0: none or not known */
    char *launcher;            /* its name; NULL: none or not known */
    pid_t other_world_pid;     /* a process of this host of another MPI_COMM_WORLD of its launcher; 0: not known */
    char *launch_problem;      /* why its processes are no ranks of one MPI_COMM_WORLD; NULL: they are */
    char *user;                /* whose it is, by name; NULL: not known */
    char *command;             /* the arguments of its first process here; NULL: not known */
    int64_t started;           /* seconds since 1970 when that was started; 0: not known */
    int samples;               /* how often it was read */
    double interval_s;         /* between the samples; -1: there is one */
    char *snapshot;            /* file that it was read from; NULL: from processes */
    int64_t snapshot_taken;    /* seconds since 1970 when the snapshot was taken; 0: it is none */
    struct process *processes; /* by rank */
    size_t process_count;
    struct rank_set absent; /* ranks that are not here and too many for a process each */
    char *absent_reason;    /* why they were not read; NULL: there are none */
    struct job_part *parts; /* that it was put together from; none: it was read as one */
    size_t part_count;
    char **notes; /* remarks about the fit of its parts, a sentence each */
    size_t note_count;
    size_t memory_taken; /* of what is there for all its processes together, see memory_budget.c */
    struct text_pool names;
    struct group_pool groups;
    struct operation_details_pool details;
    struct site_cache sites;
};

/* Short form of what MPI_Get_library_version says: "MPICH 4.0.2". The caller frees it; NULL: nothing was recognised. */
char *short_library_version(const char *library_version);

/* NULL: it was not read. */
const struct call_stack *find_call_stack(const struct process *process, uint32_t tid);
void process_clear_call_stacks(struct process *process);
void process_clear_kernel_facts(struct process *process);

/* The collective call that the thread is in, on its communicator, or on its window or file (then *ret_object); NULL:
 * none, or not known. */
const struct collective_call *find_current_collective(const struct process *process, const struct thread *thread,
                                                      const struct object **ret_object);
/* Messages under way to the process that it has not received. */
uint64_t count_unreceived(const struct communicator *communicator);
/* The polls that a thread makes in turn, from 0 to other_poll_count: itself, then the others. */
const struct thread *find_poll(const struct thread *thread, size_t number);
/* The first of this rank; NULL: the job has none. */
const struct process *find_process(const struct job *job, int rank);
/* By how much ages of a process get larger when they are until the moment of the other one: cores, and parts of a job,
 * are of different moments. 0: of the same, or not known. */
double process_ages_delay_s(const struct process *process, const struct process *until);
/* Whether one of `count` processes, by rank, has the rank. */
bool process_list_has_rank(const struct process *const *processes, size_t count, int rank);

/* Whether it is known of threads that have stalled that they did so, not only seen once. */
bool job_was_watched(const struct job *job);

/* By rank, then by pid. */
void job_sort_processes(struct job *job);

/* Moves what names, groups, details and places are kept in, of which `to` has none. */
void job_move_pools(struct job *from, struct job *to);
/* Gives back threads, communicators, requests and objects. */
void process_clear_contents(struct process *process);
/* And all else that is the process's own. */
void process_clear(struct process *process);
void job_clear(struct job *job);

/* -- library_site.c --
 * The place of a call that a library has made, as the user of that library knows it.
 */

/* Of the thread's call of MPI: the line of the program, and as `called` the outermost function of the libraries, which
 * that line has called. NULL: the program itself calls MPI there, or its stack is not known. */
const struct site *find_library_site(struct site_cache *cache, const struct process *process,
                                     const struct thread *thread);

/* -- lost_records.c -- Counts of operations and objects that the runtime of a process did not record because it reached
 * its memory limit. From then on the lists of the process are incomplete and its counts too low.
 */

/* Whether it has sent, received or made what it has no record of. */
bool process_has_lost_records(const struct process *process);

/* How much that is. */
uint64_t count_lost_records(const struct process *process);

/* Which ranks have, as one sentence that the caller frees; NULL: none. */
const char *describe_lost_records(const struct job *job);

/* -- process_index.c --
 * Finds records of a process by number.
 */

/* Looks up in O(log n) from now on; until then, and after process_clear_index(), what is there is searched from end to
 * end. Communicators, their queues, requests and objects may no longer be added, removed or moved. Does not change what
 * the pointers in the index point to. */
void process_make_index(struct process *process);
void process_clear_index(struct process *process);

/* NULL: the process is not a member, or it has no such operation among those that are not over. */
const struct communicator *find_communicator(const struct process *process, uint64_t id);
const struct operation *find_operation(const struct process *process, uint64_t serial,
                                       const struct communicator **ret_communicator);
const struct request *find_request(const struct process *process, uint64_t serial);
/* The remains of an object that the process has freed; NULL: not freed, or forgotten. */
const struct freed_object *find_freed_object(const struct process *process, uint32_t kind, uint64_t id);
const struct object *find_object(const struct process *process, uint32_t kind, uint32_t serial);

/* -- resolve_sites.c --
 * From addresses in the model to places in the source.
 */

/* Looks up the places of all calls and of all operations that are not over. */
void job_resolve_sites(struct job *job);
/* If libraries make the calls, and the stacks are known: looks up the places where the program calls these
 * libraries. */
void job_resolve_library_sites(struct job *job);
/* Looks up the places of completed operations. */
void job_resolve_completed_sites(struct job *job);
void window_resolve_sites(struct window *window, struct site_cache *cache, struct target *target);

#endif
