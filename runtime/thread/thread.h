/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread that calls MPI: its published record and, behind it, what its hot path needs. Only the thread itself writes
 * here, but for `requests` and `returned`, which other threads reach under their locks.
 *
 * Every wrapper begins with the thread's `function`: 0 means that this call is the application's. It is not 0 inside a
 * call (the MPI library calling itself, or a user's callback calling MPI), before the thread is known, and where there
 * is more to know about this call (it comes from Fortran); then thread_enter_slowly decides (enter.h).
 */
#ifndef MPILENS_RUNTIME_THREAD_THREAD_H
#define MPILENS_RUNTIME_THREAD_THREAD_H

#include "memory/publish.h"
#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"
#include "thread/fortran.h"

#include <stdbool.h>
#include <stddef.h>

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#define COLD                __attribute__((cold, noinline))
#define INLINE              static inline __attribute__((always_inline))

enum {
    RECORDER_CAPACITY = 256, /* completed operations that stay readable for certain */
    RECORDER_SLOTS = 512,    /* a power of two */
    OPERATION_CACHE_ENTRIES = 256,
    DATATYPE_CACHE_ENTRIES = 16,
    COMMUNICATOR_CACHE_ENTRIES = 8,
    WINDOW_CACHE_ENTRIES = 4,
    POLL_SLOTS = 8, /* of a loop of polls: the first and the others */
};

/* Request handles to operations: buckets of chains through `next`, ended by mpilens__no_operation. The first two
 * members are what the thread itself uses without a lock; while other threads may come here they lead to a bucket where
 * nothing is found and nothing fits, and everything goes through the functions that lock. */
struct request_table {
    struct mpilens_operation **own_buckets;
    uint64_t own_mask;
    struct mpilens_operation **buckets;
    uint64_t mask; /* number of buckets - 1 */
    uint32_t lock; /* 1: held */
    bool shared;   /* several threads are in MPI at a time */
    bool open;     /* other threads may come */
    bool settled;  /* and what was begun before it was opened is over: request_table_visit.h */
    bool busy;     /* its thread uses it and has not locked it */
    bool visiting; /* its thread is in a call, but comes to another one's table */
    bool closed_while_in_use;
};

/* Addresses of records; 0: not known. As they stand in an operation. */
struct operation_records {
    uint64_t communicator;
    uint64_t datatype;
};

/* What an operation with this communicator, datatype and peer needs to know. */
struct operation_cache_entry {
    MPI_Comm communicator; /* 0: free */
    MPI_Datatype datatype;
    int32_t peer;
    struct mpilens_channel *channel;
    struct operation_records records;
} __attribute__((aligned(64)));

/* Which record a handle names. */
struct handle_cache_entry {
    uint64_t handle; /* or HANDLE_CACHE_FREE */
    void *record;
};

/* A place of a thread's caches, in the list of those that name the same record: cache_users.h. */
struct cache_user {
    struct cache_user *next;
    struct cache_user **link;                      /* that leads here; NULL: in no list */
    struct handle_cache_entry *entry;              /* the place; NULL: it is ... */
    struct operation_cache_entry *operation_entry; /* ... this one */
};

/* All channels that a thread counts on, by communicator record and peer. */
struct channel_table {
    struct mpilens_channel **slots;
    uint64_t mask;
    uint64_t count;
};

/* What tells the polls of a loop apart; those of arrays of requests also by their handles. */
struct poll_key {
    uint64_t site;
    uint64_t subject; /* address of the record that is asked about, or how many requests of an array are */
    uint32_t function;
    int32_t peer; /* of a probe */
    int32_t tag;  /* of a probe */
};

/* A poll of the current loop, or of an earlier one. */
struct poll_slot {
    struct poll_key key;
    const struct handle_cache_entry *communicator; /* of a probe: where its handle leads to the record */
    uint64_t request;                              /* of a test of one request that is known; else UINT64_MAX */
    struct poll_slot *follower;                    /* what the loop made after it when it last came here */
    void *handles;                                 /* copies of the request array */
    size_t handles_bytes;
};

/* What a call on requests needs while it lasts. */
struct scratch {
    struct mpilens_operation *starting; /* by MPI_Start or MPI_Startall: the newest, and on through `next` */
    void *handles;                      /* copies of the request array */
    size_t handles_bytes;
    const struct poll_slot *handles_of; /* the poll that the copies are of; NULL: of another call */
    uint64_t request;                   /* that a test asks for, where it is not the expected one */
    void *statuses;                     /* where the caller ignores them */
    size_t statuses_bytes;
    MPI_Status status; /* likewise, of one request */
    bool poll_is_new;  /* the test or probe is not the one that its loop makes next */
};

/* An outer call of the same thread, while a user's callback inside it calls MPI. Not on the stack: a jump out of both
 * must not take it away. */
struct outer_call {
    struct outer_call *outer;
    struct mpilens_thread call;
    struct scratch scratch;
    bool borrowed; /* the outer call's record was taken out of the recorder's turn */
    bool by_pmpi;
    bool from_fortran;
};

struct thread {
    struct mpilens_thread published; /* first: readers find it by the table's distance between records */
    struct mpilens_operation *free_operations;
    struct mpilens_operation *returned; /* own operations that other threads have completed */
    uint64_t operations_held;           /* taken from the table */
    struct request_table requests;
    struct channel_table channels;
    struct mpilens_channel nowhere;   /* on which counts what has no channel: communicator not known, no memory */
    struct outer_call *outer;         /* innermost first */
    struct outer_call *unused_outers; /* for later */
    struct thread *next;              /* all threads, newest first */
    struct scratch scratch;
    uint64_t unknown_datatype;           /* handle used once, by the operation with ... */
    uint64_t unknown_datatype_serial;    /* 0: MPI has not accepted it, or there is none */
    struct mpilens_operation **released; /* freed while active, in a ring */
    struct thread *served;               /* whose requests, complete by nature, this one has completed last, or NULL */
    uint32_t released_count;
    uint32_t polls_to_note;        /* the one that makes this 0 is noted in more than its count */
    uint32_t polls_noted_together; /* so many at a time, at present */
    bool by_pmpi;                  /* the current call has come in as PMPI_x: for the MPI library, past other tools */
    bool from_fortran;             /* it is a statement of Fortran; never where the quick way was taken */
    struct poll_slot *newest_poll; /* never NULL */
    uint64_t poll_counted;         /* operations and completions of the thread when its loop of polls began */
    struct handle_cache_entry communicator_cache[COMMUNICATOR_CACHE_ENTRIES];
    struct handle_cache_entry datatype_cache[DATATYPE_CACHE_ENTRIES];
    struct handle_cache_entry window_cache[WINDOW_CACHE_ENTRIES];
    struct operation_cache_entry operation_cache[OPERATION_CACHE_ENTRIES];
    struct cache_user communicator_users[COMMUNICATOR_CACHE_ENTRIES];
    struct cache_user datatype_users[DATATYPE_CACHE_ENTRIES];
    struct cache_user window_users[WINDOW_CACHE_ENTRIES];
    struct cache_user operation_users[OPERATION_CACHE_ENTRIES][2]; /* of the communicator and of the datatype */
    struct poll_slot poll_slots[POLL_SLOTS];
    struct mpilens_operation *recorder[RECORDER_SLOTS];
} __attribute__((aligned(64)));

/* The calling thread, or mpilens__other_way. */
extern __thread struct thread *mpilens__thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Stands for the thread until it is known, and where an entry has something to say about the call that comes next: its
 * function is not 0. */
extern struct thread mpilens__other_way __attribute__((visibility("hidden")));

/* The calling thread, NULL: not known. */
extern __thread struct thread *mpilens__own_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The call that comes next has come in as PMPI_x. Only said where another tool is behind this one. */
extern __thread bool mpilens__by_pmpi __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* All threads that ever called MPI, newest first, through `next`. */
extern struct thread *mpilens__threads __attribute__((visibility("hidden")));

/* Several threads may be in MPI at the same time from now on, or not. Only while there is no other thread in MPI. */
void threads_set_multiple(bool multiple);

/* Several threads are in MPI at the same time, though the program has promised that they would not be: it is served as
 * one that has not. */
void threads_note_level_broken(void) COLD;

/* The calling thread becomes known: it gets a record of its own, or that of a thread that has ended. NULL: no memory.
 */
struct thread *thread_take_record(void) COLD;

/* The calling thread, or NULL: not known. */
struct thread *thread_if_known(void) COLD;

/* Whether the call that is under way is a statement of Fortran. */
bool thread_is_from_fortran(void) COLD;

/* Whether the call that is under way, and has another tool behind it, is for the MPI library, past that tool. */
bool thread_is_past_tools(void) COLD;

#if defined(__x86_64__)
#define STACK_POINTER_STORE(field) __asm__ volatile("movq %%rsp, %0" : "=m"(field))
#else
#define STACK_POINTER_STORE(field) ((field) = (uint64_t)(uintptr_t)__builtin_frame_address(0))
#endif

/* The thread is in a call from here (its description stands already) ... */
INLINE void call_begin(struct thread *thread, uint32_t function)
{
    STACK_POINTER_STORE(thread->published.frame);
    PUBLISH_BARRIER();
    __atomic_store_n(&thread->published.function, function, __ATOMIC_RELAXED);
}

/* Whether `place`, which another thread may change, holds `value` of the same size: one comparison with memory, where a
 * compiler would load it first. */
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
#define HOLDS(place, value)                                                                                            \
    __extension__({                                                                                                    \
        bool holds;                                                                                                    \
        __asm__("cmp %2, %1" : "=@cce"(holds) : "m"(place), "r"(value));                                               \
        holds;                                                                                                         \
    })
#else
#define HOLDS(place, value) (__atomic_load_n(&(place), __ATOMIC_RELAXED) == (value))
#endif

/* Whether the thread is in a call. */
INLINE bool thread_is_in_call(const struct thread *thread)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
    bool is_in_call; /* as HOLDS */
    __asm__("cmpl $0, %1" : "=@ccne"(is_in_call) : "m"(thread->published.function));
    return is_in_call;
#else
    return thread->published.function != 0;
#endif
}

/* ... to here. Readers see that before they see anything of the next call. */
INLINE void call_end(struct thread *thread)
{
    __atomic_store_n(&thread->published.function, 0, __ATOMIC_RELEASE);
    PUBLISH_BARRIER();
}

#endif
