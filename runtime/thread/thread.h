/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads, their operation records and request tables, caches of handles.
 */
#ifndef MPILENS_RUNTIME_THREAD_THREAD_H
#define MPILENS_RUNTIME_THREAD_THREAD_H

#include "memory/memory.h"
#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- fortran.c --
 * Fortran statements as call sites. A Fortran binding calls the C functions, so that the caller of our wrappers is the
 * binding. Entries with the names of the binding's functions (generated, in assembly) come before it: they note who
 * calls, send the next wrapper of this thread the slow way, where the note is taken up, and go on to the binding.
 * Programs in other languages pay nothing for this. Where there are no entries for the processor or the compiler's way
 * to make names, the site is in the binding.
 */

/* An entry's note. The entries know its layout. */
struct fortran_statement {
    const void *site; /* return address; NULL: nothing noted */
    uint64_t frame;   /* the stack pointer at the entry */
};

/* The newest, and the one before it: a binding's own functions may also go through entries. The note of a function
 * that made no C call stays here until the next: the taker checks. */
struct fortran_statements {
    struct fortran_statement newest;
    struct fortran_statement before;
};

extern __thread struct fortran_statements mpilens__fortran_statements
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The statement that led to the call of a wrapper through an entry; `caller` and `frame` (where its stack begins)
 * belong to the wrapper. A NULL site: none. Clears the note. */
struct fortran_statement fortran_take(const void *caller, uint64_t frame);

/* The same statement may call another function. */
void fortran_put_back(struct fortran_statement statement);

/* Whether a statement has led to a C function. */
struct fortran_watch {
    uint64_t frame; /* of the statement; 0: none is watched */
    bool taken;
};

/* Notes the statement, as an entry does, and watches it. Returns what was watched before, for fortran_watch_end. */
struct fortran_watch fortran_watch_begin(struct fortran_statement statement);

/* Returns whether the statement was taken. It is not noted any more. */
bool fortran_watch_end(struct fortran_watch before);

/* The binding's function with this name, called from `site`. Aborts with a message where there is none. */
void *fortran_find_function(const char *name, const void *site);

/* For the entries: the binding's function with the entry's number, called from `site`. Aborts with a message if there
 * is none. */
void *mpilens__fortran_find(uint32_t entry, const void *site) __attribute__((visibility("hidden")));

/* Names by the entries' numbers, each with its end, one after the other. */
extern const char mpilens__fortran_names[] __attribute__((visibility("hidden")));

/* -- thread.c --
 * A thread that calls MPI: its published record and, behind it, what its hot path needs. Only the thread itself writes
 * here, but for `requests` and `returned`, which other threads reach under their locks.
 *
 * Every wrapper begins with the thread's `function`: 0 means that this call is the application's. It is not 0 inside a
 * call (the MPI library calling itself, or a user's callback calling MPI), before the thread is known, and where there
 * is more to know about this call (it comes from Fortran); then thread_enter_slowly decides (enter.c).
 */

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#define COLD                __attribute__((cold, noinline))
#define INLINE              static inline __attribute__((always_inline))

enum {
    /* Completed operations that stay readable for certain, a power of two: by default, and with MPILENS_HISTORY. */
    RECORDER_CAPACITY = 256,
    MOST_RECORDER_CAPACITY = 16384,
    RECORDER_SLOTS = 2 * RECORDER_CAPACITY, /* by default */
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
    bool settled;  /* and what was begun before it was opened is over: request_table_visit.c */
    bool busy;     /* its thread uses it and has not locked it */
    bool visiting; /* its thread is in a call, but comes to another one's table */
    bool closed_while_in_use;
};

/* Addresses of records; 0: not known. As they stand in an operation. */
struct operation_records {
    uint64_t communicator;
    uint64_t datatype;
};

/* The records of an operation's communicator, datatype and peer. */
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

/* A place of a thread's caches, in the list of those that name the same record: cache_users.c. */
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

/* Distinguishes the polls of a loop; polls of arrays of requests also by their handles. */
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
    struct poll_slot *follower;                    /* the loop's next poll when it last came here */
    void *handles;                                 /* copies of the request array */
    size_t handles_bytes;
};

/* Scratch memory of a call on requests. */
struct scratch {
    struct mpilens_operation *starting; /* by MPI_Start or MPI_Startall: the newest, and on through `next` */
    void *handles;                      /* copies of the request array */
    size_t handles_bytes;
    const struct poll_slot *handles_of; /* the poll that the copies are of; NULL: of another call */
    uint64_t request;                   /* that a test asks for, where it is not the expected one */
    void *statuses;                     /* where the caller ignores them */
    size_t statuses_bytes;
    MPI_Status status; /* as statuses, for one request */
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
    uint64_t recorder_mask;             /* slots of the recorder - 1 */
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
    uint32_t polls_noted_together; /* the present number of them */
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
    struct mpilens_operation *recorder[RECORDER_SLOTS]; /* or more: recorder_thread_bytes() has room for them */
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

/* Registers the calling thread: it gets a new record, or one from a thread that has ended. NULL: no memory. */
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

/* -- cache_users.c --
 * Which places of the threads' caches name a record: whoever ends the record empties these and no others, however many
 * threads there are. The list of them begins behind the published record.
 */

/* The calling thread fills places of its caches between these; whoever empties them waits. */
void cache_users_lock(void);
void cache_users_unlock(void);

/* `user`, of a place of the calling thread's caches, names `record` of this kind from now on, and not what it named
 * before. Locked. False: the record is over, and the place is to stay empty. */
bool cache_user_set(struct cache_user *user, enum mpilens_table_kind kind, void *record);

/* A place that names a record by its handle. */
void cache_user_fill(struct cache_user *user, enum mpilens_table_kind kind, struct handle_cache_entry *entry,
                     uint64_t handle, void *record) COLD;

/* Empties all places that name the record of this kind. */
void cache_users_forget(enum mpilens_table_kind kind, void *record);

/* A thread's caches before the handle maps: which records handles have named lately. Any thread may empty a place
 * of them (cache_users.c); the rest is the thread's own. */

/* In free entries: no handle has this value. */
#define HANDLE_CACHE_FREE UINT64_C(0x8000000000000001)

INLINE void handle_cache_clear(struct handle_cache_entry *cache, uint32_t entries)
{
    for (uint32_t i = 0; i < entries; i++)
        cache[i] = (struct handle_cache_entry){.handle = HANDLE_CACHE_FREE};
}

/* Where the entry for `handle` is in a cache of `entries`, if it is there. */
INLINE struct handle_cache_entry *handle_cache_place(struct handle_cache_entry *cache, uint32_t entries,
                                                     uint64_t handle)
{
    return &cache[handle_bits(handle) % entries];
}

INLINE bool handle_cache_hit(const struct handle_cache_entry *entry, uint64_t handle)
{
    return likely(HOLDS(entry->handle, handle));
}

/* The record of an entry that was hit. Never NULL, so that nobody need ask. */
INLINE void *handle_cache_record(const struct handle_cache_entry *entry)
{
    if (entry->record == NULL)
        __builtin_unreachable();
    return entry->record;
}

/* `record` is not NULL. */
INLINE void handle_cache_set(struct handle_cache_entry *entry, uint64_t handle, void *record)
{
    __atomic_store_n(&entry->handle, HANDLE_CACHE_FREE, __ATOMIC_RELAXED);
    entry->record = record;
    __atomic_store_n(&entry->handle, handle, __ATOMIC_RELEASE);
}

/* -- operation_record.c --
 * Records of operations, as the thread that starts them holds them.
 *
 * A record's way: the thread's free list -> published (pending) -> retired into the recorder, where it stays readable
 * while the thread completes as many more as the root's recorder_capacity says -> the free list. Operations that
 * another thread completes come back to the thread that started them through `returned`.
 */

/* Reads from MPILENS_HISTORY how many completed operations stay readable; an invalid number leaves the default. Before
 * the first thread. */
void recorder_read_capacity(void);

/* The bytes of a thread with its recorder. */
size_t recorder_thread_bytes(void);

/* The first records of a new thread. False: no memory. */
bool operations_prepare(struct thread *thread);

/* After that has failed: gives back what it has taken. */
void operations_unprepare(struct thread *thread);

/* Fills the empty free list. False, and counted, where there is no record. */
bool operation_take_slowly(struct thread *thread) COLD;

/* Now and then: gives back what a burst has left, notes the clock. Not COLD: GCC 12 would take every completion for
 * cold that goes past its call, and put it far from where it begins. */
void operations_maintain(struct thread *thread) __attribute__((noinline));

/* By a thread that did not start it: completed, or given up. */
void operation_return(struct mpilens_operation *operation) COLD;
void operation_return_abandoned(struct mpilens_operation *operation) COLD;

/* A user's callback inside a call calls MPI: a record that the outer call has borrowed must not be borrowed again.
 * `outer`: the operation of that call, or 0. Returns whether operation_end_inner must undo it. */
bool operation_begin_inner(struct thread *thread, uint64_t outer) COLD;
void operation_end_inner(struct thread *thread, uint64_t outer) COLD;

/* The record at this address; 0: NULL. */
INLINE struct mpilens_operation *operation_at(uint64_t address)
{
    return (struct mpilens_operation *)(uintptr_t)address;
}

/* The second operation of the same request, or NULL: `second` where it is one. */
INLINE struct mpilens_operation *operation_second(const struct mpilens_operation *operation)
{
    bool has_second =
        !(operation->flags & MPILENS_OPERATION_OTHER_CLASSES) || operation->state == MPILENS_OPERATION_PERSISTENT;
    return has_second ? operation_at(operation->second) : NULL;
}

/* The next free record; there is one. */
INLINE struct mpilens_operation *operation_take(struct thread *thread)
{
    struct mpilens_operation *operation = thread->free_operations;
    thread->free_operations = (struct mpilens_operation *)(uintptr_t)operation->next;
    return operation;
}

/* The record for a blocking call: the one whose turn in the recorder comes next stays in its place while the call
 * lasts. */
INLINE struct mpilens_operation *operation_borrow(const struct thread *thread)
{
    return thread->recorder[thread->published.completions & thread->recorder_mask];
}

/* `operation`, in a register that has no argument of a call: a compiler that is free to choose saves one to make room.
 */
INLINE struct mpilens_operation *operation_beside_arguments(struct mpilens_operation *operation)
{
#if defined(__x86_64__)
    register struct mpilens_operation *held __asm__("r11") = operation;
    __asm__("" : "+r"(held));
    return held;
#else
    return operation;
#endif
}

/* Whether it is the thread's borrowed record, in use. */
INLINE bool operation_is_borrowed(const struct thread *thread, const struct mpilens_operation *operation)
{
    return operation == operation_borrow(thread) && operation->state == MPILENS_OPERATION_PENDING;
}

/* Nobody uses it any more. */
INLINE void operation_set_free(struct thread *thread, struct mpilens_operation *operation)
{
    operation->next = (uint64_t)(uintptr_t)thread->free_operations;
    thread->free_operations = operation;
}

/* A borrowed record is over, and counts. */
INLINE void operation_retire_borrowed(struct thread *thread, struct mpilens_operation *operation)
{
    __atomic_store_n(&operation->state, MPILENS_OPERATION_RETIRED, __ATOMIC_RELEASE);
    thread->published.completions++;
}

/* Into the recorder; the record that has been there longest becomes free. */
INLINE void operation_retire(struct thread *thread, struct mpilens_operation *operation)
{
    uint64_t place = thread->published.completions++ & thread->recorder_mask;
    struct mpilens_operation *oldest = thread->recorder[place];
    __atomic_store_n(&operation->state, MPILENS_OPERATION_RETIRED, __ATOMIC_RELEASE);
    thread->recorder[place] = operation;
    operation_set_free(thread, oldest);
    if (unlikely(place == 0))
        operations_maintain(thread);
}

/* As operation_retire, for an operation that any thread may have started. */
INLINE void operation_retire_anyones(struct thread *thread, struct mpilens_operation *operation)
{
    if (likely(operation->thread == thread->published.index))
        operation_retire(thread, operation);
    else
        operation_return(operation);
}

/* -- refusal.c --
 * Calls that MPI has refused: no other process has taken part in them, and they leave no trace.
 */

/* Whether the class of `error`, which is not MPI_SUCCESS, means a wrong argument, or a call at a wrong time. */
bool refusal_is(int error) COLD;

/* Whether the call that has returned `error` was refused. */
INLINE bool error_is_refusal(int error)
{
    return unlikely(error != MPI_SUCCESS) && refusal_is(error);
}

/* -- request_table.c -- Finds the operations of a request handle. Each thread has a table of the operations that it
 * started. The completing thread looks in its own table, then in others' tables, first where request_owner.c says. One
 * handle may name several live operations, as MPI libraries give one preallocated request to everything that completes
 * at once. The oldest is then taken: the operations of one handle form a chain, oldest first, and the first of many
 * knows the last.
 *
 * A table has as many buckets as its thread holds operation records: chains stay short, and inserting never fails.
 */

/* Ends every chain; its request is none. */
extern struct mpilens_operation mpilens__no_operation __attribute__((visibility("hidden")));

/* An empty table. `shared`: other threads may come. False: no memory. */
bool request_table_create(struct request_table *table, bool shared);

void request_table_destroy(struct request_table *table);

/* Makes room for `operations`. False: no memory. */
bool request_table_reserve(struct request_table *table, uint64_t operations);

/* The general ways, for every kind of request. For another thread than the table's: after request_table_visit.
 * Inserting returns what the handle has named before, where it names one request at a time: a chain through `next`, or
 * NULL. */
struct mpilens_operation *request_table_insert_slowly(struct request_table *table, uint64_t handle,
                                                      struct mpilens_operation *operation);
bool request_table_remove_slowly(struct request_table *table, uint64_t handle, struct mpilens_operation *operation);

/* Finds what `handle` named at `latest` (ticks), or NULL. `ret_posted_time`, which may be NULL: since when; the owner
 * of the table may give the record to another operation as soon as this has returned. */
struct mpilens_operation *request_table_find_slowly(struct request_table *table, uint64_t handle, uint64_t latest,
                                                    uint64_t *ret_posted_time);

/* Quick ways of the thread itself for a request that the library hands out for many operations at a time. The first is
 * for one that the table has already; the second for the oldest of its operations. False: not so easily. */
bool request_table_append_own(struct request_table *table, uint64_t handle, struct mpilens_operation *operation);
bool request_table_remove_oldest_own(struct request_table *table, uint64_t handle,
                                     const struct mpilens_operation *operation);

/* Removes the oldest started operation of `handle`, or returns NULL. */
struct mpilens_operation *request_table_take_slowly(struct request_table *table, uint64_t handle);

INLINE struct mpilens_operation **request_table_own_bucket(const struct request_table *table, uint64_t handle)
{
    return &table->own_buckets[request_bits(handle) & table->own_mask];
}

/* Where nothing stands in the way. False: request_table_insert_slowly. */
INLINE bool request_table_insert_own(struct request_table *table, uint64_t handle, struct mpilens_operation *operation)
{
    struct mpilens_operation **bucket = request_table_own_bucket(table, handle);
    if (unlikely(*bucket != &mpilens__no_operation))
        return false;
    operation->next = (uint64_t)(uintptr_t)&mpilens__no_operation;
    *bucket = operation;
    return true;
}

/* NULL: look closer. */
INLINE struct mpilens_operation *request_table_find_own(const struct request_table *table, uint64_t handle)
{
    struct mpilens_operation *operation = *request_table_own_bucket(table, handle);
    return likely(operation->request == handle) ? operation : NULL;
}

/* Removes an operation that does not share its request. False: it takes more than that. */
INLINE bool request_table_remove_own(struct request_table *table, uint64_t handle,
                                     const struct mpilens_operation *operation)
{
    struct mpilens_operation **bucket = request_table_own_bucket(table, handle);
    if (unlikely(*bucket != operation))
        return false;
    *bucket = (struct mpilens_operation *)(uintptr_t)operation->next;
    return true;
}

/* -- request_table_anywhere.c --
 * Requests that may stand in the table of any thread.
 */

/* The operation that `handle` named at `latest` (ticks), first among this thread's, then any other's; or NULL. If the
 * handle names many requests at a time, the oldest (at least of that thread, if several are in MPI at a time). Else
 * the newest: older ones were completed by another thread, which has not told yet. */
struct mpilens_operation *request_find_anywhere(struct thread *thread, uint64_t handle, uint64_t latest);

/* Removes a started operation of `handle`, which names many requests at a time, or which threads have used at the same
 * time: the oldest of this thread's, else of another's; or NULL. */
struct mpilens_operation *request_take_anywhere(struct thread *thread, uint64_t handle);

/* Removes `operation` from whichever table holds it. False: none does (another thread has collected it). */
bool request_remove_anywhere(struct thread *thread, uint64_t handle, struct mpilens_operation *operation);

/* As request_find, where the first look has not found it. */
struct mpilens_operation *request_find_slowly(struct thread *thread, uint64_t request);

/* The operation of a request, or NULL. */
INLINE struct mpilens_operation *request_find(struct thread *thread, uint64_t request)
{
    struct mpilens_operation *operation = request_table_find_own(&thread->requests, request);
    return likely(operation != NULL) ? operation : request_find_slowly(thread, request);
}

#endif
