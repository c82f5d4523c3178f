/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends, receives, collectives, completion, polling, persistent and partitioned requests, channels.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_OPERATIONS_H
#define MPILENS_RUNTIME_OPERATIONS_OPERATIONS_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"
#include "objects/objects.h"
#include "thread/thread.h"

#include <string.h>

/* The call that a thread is in, as readers see it: in place from call_begin_... until call_end (thread.h). */

/* A call that starts an operation. */
INLINE void call_begin_operation(struct thread *thread, uint32_t function, struct mpilens_operation *operation)
{
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    call_begin(thread, function);
}

/* A call that counts its operations, completions or polls: `communicator` is the record that it works on, or NULL. */
INLINE void call_begin_counting(struct thread *thread, uint32_t function, uint64_t site,
                                const struct mpilens_communicator *communicator)
{
    thread->published.site = site;
    clock_stamp(&thread->published.entered);
    thread->published.operation = 0;
    thread->published.communicator = (uint64_t)(uintptr_t)communicator;
    call_begin(thread, function);
}

/* Any call that asks for something and does not wait. Readers know it from the one before it by when it began. */
INLINE void call_begin_asking(struct thread *thread, uint32_t function, uint64_t site,
                              const struct mpilens_communicator *communicator)
{
    thread->published.site = site;
    thread->published.entered = clock_ticks();
    thread->published.operation = 0;
    thread->published.communicator = (uint64_t)(uintptr_t)communicator;
    call_begin(thread, function);
}

/* Any other call. The thread polls no more. */
INLINE void call_begin_other(struct thread *thread, uint32_t function, uint64_t site,
                             const struct mpilens_communicator *communicator)
{
    thread->published.polls = 0;
    call_begin_asking(thread, function, site, communicator);
}

/* -- channel.c --
 * Message counts per communicator and peer, and the cache that leads an operation from its arguments to the records
 * that it needs: one look-up for channel, communicator and datatype. Each thread counts on channels of its own.
 */

/* The channel of a communicator record. NULL where that is NULL or there is no memory. */
struct mpilens_channel *channel_of_record(struct thread *thread, struct mpilens_communicator *record, int32_t peer);

/* As channel_of_record; instead of NULL, a channel that nobody sees. */
struct mpilens_channel *channel_or_nowhere(struct thread *thread, struct mpilens_communicator *record, int32_t peer);

/* Fills a cache entry. Always returns a usable one; unknown records are 0 in it, and counts go nowhere. */
struct operation_cache_entry *operation_cache_fill(struct thread *thread, MPI_Comm communicator, MPI_Datatype datatype,
                                                   int32_t peer) COLD;

/* Where the entry for these arguments is, if it is there. */
INLINE struct operation_cache_entry *operation_cache_place(struct thread *thread, MPI_Comm communicator,
                                                           MPI_Datatype datatype, int32_t peer)
{
    uint32_t mix = handle_bits(HANDLE_VALUE(communicator) * 8 + HANDLE_VALUE(datatype)) + (uint32_t)peer;
    /* As byte offset from the start: fewer steps than by index. */
    uint32_t offset = mix * sizeof(struct operation_cache_entry) % sizeof thread->operation_cache;
    struct operation_cache_entry *entry =
        (struct operation_cache_entry *)(void *)((char *)thread->operation_cache + offset);
    /* One register, instead of computing the address for each member; none that has an argument. */
#if defined(__x86_64__)
    register struct operation_cache_entry *place __asm__("r10") = entry;
    __asm__("" : "+r"(place));
    return place;
#else
    __asm__("" : "+r"(entry));
    return entry;
#endif
}

INLINE bool operation_cache_hit(const struct operation_cache_entry *entry, MPI_Comm communicator, MPI_Datatype datatype,
                                int32_t peer)
{
    return likely(HOLDS(entry->communicator, communicator) && entry->datatype == datatype && entry->peer == peer);
}

/* The channel on which a receive counts, where the thread's cache does not have it. Never NULL. */
struct mpilens_channel *operation_channel_slowly(struct thread *thread, const struct mpilens_operation *operation,
                                                 int32_t source);

/* The channel on which a receive counts. Never NULL. */
INLINE struct mpilens_channel *operation_channel(struct thread *thread, const struct mpilens_operation *operation,
                                                 int32_t source)
{
    const struct mpilens_communicator *communicator =
        (const struct mpilens_communicator *)(uintptr_t)operation->communicator;
    const struct mpilens_datatype *datatype = (const struct mpilens_datatype *)(uintptr_t)operation->datatype;
    if (likely(communicator != NULL && datatype != NULL)) {
        MPI_Comm communicator_handle = (MPI_Comm)(uintptr_t)communicator->handle;
        MPI_Datatype datatype_handle = (MPI_Datatype)(uintptr_t)datatype->handle;
        const struct operation_cache_entry *entry =
            operation_cache_place(thread, communicator_handle, datatype_handle, source);
        if (operation_cache_hit(entry, communicator_handle, datatype_handle, source) &&
            likely(entry->records.communicator == operation->communicator))
            return entry->channel;
    }
    return operation_channel_slowly(thread, operation, source);
}

/* -- operation.c --
 * Point-to-point operations on the hot path: begin, bind the request, complete, retire.
 */

/* As operation_insert; earlier operations of `request` will never be known to end. */
void operation_insert_slowly(struct thread *thread, struct mpilens_operation *operation, uint64_t request);

/* The operation never was: neither its channel nor its datatype has been used. */
void operation_forget_use(struct thread *thread, const struct mpilens_operation *operation) COLD;

/* A call failed: its operation never was. */
void operation_failed(struct thread *thread, struct mpilens_operation *operation) COLD;

/* As operation_failed, for a blocking call, even if it received nothing. */
void operation_failed_borrowed(struct thread *thread, struct mpilens_operation *operation) COLD;

/* Retires an operation that moved no message: the flight recorder does not show it. */
void operation_discard(struct thread *thread, struct mpilens_operation *operation) COLD;

/* Whether the message of a receive was too long for it (MPI_ERR_TRUNCATE). */
bool error_is_truncation(int error) COLD;

/* A receive that failed, or was cancelled. True: it received a message all the same, from its `actual_source`. */
bool operation_received_despite(struct mpilens_operation *operation, int error, const MPI_Status *status) COLD;

/* Arguments of a new operation: everything but the request. */
struct operation_arguments {
    uint64_t site; /* 0: the return address of the function that all this is inlined into */
    uint64_t buffer;
    uint64_t count;      /* or ... */
    int32_t small_count; /* as the caller has it: made longer only where it is stored, for want of registers */
    bool count_is_small;
    MPI_Datatype datatype;
    MPI_Comm communicator;
    int32_t peer;
    int32_t tag;
    uint32_t function;
    uint32_t flags; /* class and mode */
    uint32_t state; /* MPILENS_OPERATION_PENDING or _PERSISTENT */
};

/* For operation_arguments: a number of elements, int or MPI_Count. */
#define ELEMENT_COUNT(elements)                                                                                        \
    .count = sizeof(elements) == sizeof(int32_t) ? 0 : (uint64_t)(elements),                                           \
    .small_count = sizeof(elements) == sizeof(int32_t) ? (int32_t)(elements) : 0,                                      \
    .count_is_small = sizeof(elements) == sizeof(int32_t)

/* `operation`, which nobody uses, gets the next serial; its fields may be written from here ... */
INLINE void operation_open(struct thread *thread, struct mpilens_operation *operation)
{
    thread->published.operations++;
    operation->state = 0;
    PUBLISH_BARRIER();
    operation->posted_check = thread->published.operations;
    PUBLISH_BARRIER();
}

/* ... to here, where readers see it. */
INLINE void operation_publish(const struct thread *thread, struct mpilens_operation *operation, uint32_t state)
{
    PUBLISH_BARRIER();
    operation->posted = thread->published.operations; /* not kept in a register: the arguments fill them all */
    PUBLISH_BARRIER();
    __atomic_store_n(&operation->state, state, __ATOMIC_RELAXED);
}

static_assert(offsetof(struct mpilens_operation, datatype) - offsetof(struct mpilens_operation, communicator) ==
                  offsetof(struct operation_records, datatype),
              "the addresses of its records stand in an operation as in the cache");

/* Both at a time. */
INLINE void operation_set_records(struct mpilens_operation *operation, const struct operation_records *records)
{
    memcpy((char *)operation + offsetof(struct mpilens_operation, communicator), records, sizeof *records);
}

/* Whether the record holds the channel of its peer, as long as it is pending: the
 * thread that has started it counts there what it receives, or what a persistent request starts. */
INLINE bool operation_keeps_channel(uint32_t flags, uint32_t state)
{
    return (flags & MPILENS_OPERATION_RECEIVE) || state == MPILENS_OPERATION_PERSISTENT;
}

/* That channel. */
INLINE struct mpilens_channel *operation_kept_channel(const struct mpilens_operation *operation)
{
    return (struct mpilens_channel *)(uintptr_t)operation->own;
}

/* The channel of a receive of this thread that is about to be over; NULL where its message was known before. */
INLINE struct mpilens_channel *operation_channel_if_kept(const struct mpilens_operation *operation)
{
    return likely(operation->state == MPILENS_OPERATION_PENDING) ? operation_kept_channel(operation) : NULL;
}

/* Publishes `operation` with `entry` for its arguments. */
INLINE void operation_begin_at(struct thread *thread, const struct operation_cache_entry *entry,
                               struct mpilens_operation *operation, const struct operation_arguments arguments)
{
    operation_open(thread, operation);
    clock_stamp(&operation->posted_time);
    operation->function = arguments.function;
    operation_set_records(operation, &entry->records);
    operation->count = arguments.count_is_small ? (uint64_t)arguments.small_count : arguments.count;
    operation->buffer = arguments.buffer;
    operation->peer = arguments.peer;
    operation->tag = arguments.tag;
    operation->site = arguments.site ? arguments.site : (uint64_t)(uintptr_t)__builtin_return_address(0);
    operation->flags = arguments.flags;
    if (!(arguments.flags & MPILENS_OPERATION_BLOCKING))
        operation->request = 0;
    if (operation_keeps_channel(arguments.flags, arguments.state))
        operation->own = (uint64_t)(uintptr_t)entry->channel;
    if ((arguments.flags & MPILENS_OPERATION_SEND) && arguments.state == MPILENS_OPERATION_PENDING)
        entry->channel->sent++;
    operation_publish(thread, operation, arguments.state);
}

/* All of the above in the general case. NULL where it cannot be tracked. */
struct mpilens_operation *operation_begin_slowly(struct thread *thread, const struct operation_arguments *arguments);

INLINE struct mpilens_operation *operation_begin(struct thread *thread, const struct operation_arguments arguments)
{
    const struct operation_cache_entry *entry =
        operation_cache_place(thread, arguments.communicator, arguments.datatype, arguments.peer);
    if (unlikely(thread->free_operations == NULL ||
                 !operation_cache_hit(entry, arguments.communicator, arguments.datatype, arguments.peer))) {
        const struct operation_arguments in_memory = arguments; /* the quick way has them in registers */
        return operation_begin_slowly(thread, &in_memory);
    }
    struct mpilens_operation *operation = operation_take(thread);
    operation_begin_at(thread, entry, operation, arguments);
    return operation;
}

/* Stores the facts about a received message from its `status`. The library has just stored the status member by
 * member: one load across two members would wait until both are in the cache, and with them all later stores, such as
 * the next message. */
INLINE void operation_set_actual(struct mpilens_operation *operation, const MPI_Status *status)
{
    operation->actual_source = status->MPI_SOURCE;
    __asm__("" : : : "memory");
    operation->actual_tag = status->MPI_TAG;
    __asm__("" : : : "memory");
    operation->actual_bytes = status_bytes(status);
}

/* As operation_set_actual, for MPI_PROC_NULL: some libraries leave the status untouched. */
INLINE void operation_set_actual_nothing(struct mpilens_operation *operation)
{
    operation->actual_source = MPI_PROC_NULL;
    operation->actual_tag = MPI_ANY_TAG;
    operation->actual_bytes = 0;
}

/* Notes the message of a receive and counts it on its channel. `channel`: the kept one, NULL: look it up. False: no
 * message (it failed or was cancelled). */
bool operation_received(struct thread *thread, struct mpilens_operation *operation, struct mpilens_channel *channel,
                        const MPI_Status *status, int error);

/* A message from `source` counts on the channel of that. */
void operation_count_received(struct thread *thread, const struct mpilens_operation *operation, int32_t source);

/* As operation_received, in the thread that has started it, without error and cancel. */
INLINE void operation_received_own(struct thread *thread, struct mpilens_operation *operation,
                                   struct mpilens_channel *channel, const MPI_Status *status)
{
    if (unlikely(operation->peer == MPI_PROC_NULL)) {
        operation_set_actual_nothing(operation);
        return;
    }
    operation_set_actual(operation, status);
    if (likely(channel != NULL) && likely(operation->peer == status->MPI_SOURCE))
        channel->received++;
    else
        operation_count_received(thread, operation, status->MPI_SOURCE);
}

/* The operation of the thread's current call. Not held in a register while the MPI library has the call: one register
 * less to save. */
INLINE struct mpilens_operation *operation_of_call(const struct thread *thread)
{
    struct mpilens_operation *operation = operation_at(thread->published.operation);
    if (operation == NULL)
        __builtin_unreachable();
    return operation;
}

/* Ends of calls, with what the MPI library has returned. All return `error`. */

/* Ends a failed call that was to start an operation. */
int operation_end_failed_start(struct thread *thread, int error) COLD;

/* End failed blocking calls. */
int operation_end_failed_send(struct thread *thread, int error) COLD;
int operation_end_failed_receive(struct thread *thread, const MPI_Status *status, int error) COLD;

/* Ends a blocking receive from any source, which has got its message from `source`. */
int operation_end_receive_of_any(struct thread *thread, int32_t source);

INLINE int operation_end_blocking_receive(struct thread *thread, const MPI_Status *status, int error)
{
    struct mpilens_operation *operation = operation_of_call(thread);
    if (unlikely(error != MPI_SUCCESS))
        return operation_end_failed_receive(thread, status, error);
    if (unlikely(operation->peer == MPI_PROC_NULL))
        operation_set_actual_nothing(operation);
    else {
        struct mpilens_channel *channel = operation_kept_channel(operation);
        operation_set_actual(operation, status);
        if (operation->peer != status->MPI_SOURCE)
            return operation_end_receive_of_any(thread, status->MPI_SOURCE);
        channel->received++;
    }
    operation_retire_borrowed(thread, operation);
    call_end(thread);
    return MPI_SUCCESS;
}

INLINE int operation_end_blocking_send(struct thread *thread, int error)
{
    if (unlikely(error != MPI_SUCCESS))
        return operation_end_failed_send(thread, error);
    operation_retire_borrowed(thread, operation_of_call(thread));
    call_end(thread);
    return MPI_SUCCESS;
}

/* `request` names the operation from now on, whose `request` it is. */
INLINE void operation_insert(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    if (!request_table_insert_own(&thread->requests, request, operation))
        operation_insert_slowly(thread, operation, request);
}

INLINE void operation_name(struct mpilens_operation *operation, uint64_t request)
{
    operation->request = request;
    if (request_is_complete_by_nature(request))
        __atomic_store_n(&operation->state, MPILENS_OPERATION_COMPLETE, __ATOMIC_RELEASE);
}

/* The real call of a nonblocking operation has succeeded and given `request`. */
INLINE void operation_bind(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    operation_name(operation, request);
    operation_insert(thread, operation, request);
}

/* After operation_name, for which there is no room where the thread looks first. */
int operation_end_start_slowly(struct thread *thread);

/* The end of the call that has started a nonblocking operation, whose `request` it gives. Returns `error`. */
INLINE int operation_end_start(struct thread *thread, const MPI_Request *request, int error)
{
    if (unlikely(error != MPI_SUCCESS))
        return operation_end_failed_start(thread, error);
    struct mpilens_operation *operation = operation_of_call(thread);
    operation_name(operation, HANDLE_VALUE(*request));
    if (!request_table_insert_own(&thread->requests, HANDLE_VALUE(*request), operation))
        return operation_end_start_slowly(thread);
    call_end(thread);
    return MPI_SUCCESS;
}

/* -- buffer.c -- Buffers of buffered sends: attaching them, and MPI_Buffer_iflush.
 */

/* The process has this buffer from now on; NULL: none. */
void process_buffer_attached(const void *buffer, uint64_t bytes);

/* As process_buffer_attached, for the session that `handle` names. */
void session_buffer_attached(uint64_t handle, const void *buffer, uint64_t bytes);

/* MPI_Buffer_iflush and the like; `communicator` is the record of whose buffer it is, or NULL. The call is in place
 * when this returns. Its operation, or NULL. */
struct mpilens_operation *buffer_flush_start(struct thread *thread, uint32_t function, uint64_t site,
                                             const struct mpilens_communicator *communicator);

/* -- collective.c --
 * Collective calls: counts per class and the last calls of every communicator.
 */

struct collective_arguments {
    uint64_t site;
    uint64_t buffer;
    int64_t count;
    uint64_t datatype; /* handle, where has_datatype */
    uint64_t op;
    uint64_t communicator;
    int32_t root;
    uint32_t function;
    uint32_t collective_class;
    bool has_root;
    bool has_datatype;
    const struct count_arrays *arrays; /* NULL: none */
};

/* Nonblocking ones may end in another thread than the one that begins the next. */
INLINE void collective_count_active(const struct thread *thread, struct mpilens_collective_state *state, int32_t change)
{
    if (unlikely(thread->requests.shared))
        __atomic_fetch_add(&state->active, (uint32_t)change, __ATOMIC_RELAXED);
    else
        state->active += (uint32_t)change;
}

/* The call gets a mark; it is the first, or the marks are due for it. */
void collective_mark(struct mpilens_communicator *record, const struct mpilens_collective *call) COLD;

/* A call is looked at when it is over: few registers are in use then. `serial`: its own. */
INLINE void collective_mark_if_due(struct mpilens_communicator *record, const struct mpilens_collective *call,
                                   uint64_t serial)
{
    if (unlikely((serial & record->mark_mask) == 0))
        collective_mark(record, call);
}

INLINE void collective_count(const struct thread *thread, struct mpilens_communicator *record,
                             uint32_t collective_class, int32_t root)
{
    struct mpilens_collective_state *state = &record->collective_states[collective_class];
    state->count++;
    record->root_sum += (uint64_t)(int64_t)root;
    collective_count_active(thread, state, 1);
}

/* Notes the next collective call on the communicator, as collective_fill_place. */
INLINE struct mpilens_collective *collective_note(const struct thread *thread, struct mpilens_communicator *record,
                                                  uint32_t collective_class, const struct mpilens_collective described,
                                                  const struct count_arrays *arrays)
{
    uint64_t serial;
    struct mpilens_collective *call =
        collective_open_place(&record->collective_count, record->recent_collectives, &serial);
    collective_fill_place(call, serial, described, arrays);
    collective_count(thread, record, collective_class, described.root);
    return call;
}

/* As collective_note, of a call that has just got its arrays: short ones are copied. */
INLINE struct mpilens_collective *collective_note_given(const struct thread *thread,
                                                        struct mpilens_communicator *record, uint32_t collective_class,
                                                        const struct mpilens_collective described,
                                                        const struct count_arrays *arrays)
{
    if (arrays == NULL)
        return collective_note(thread, record, collective_class, described, NULL);
    uint64_t serial;
    struct mpilens_collective *call =
        collective_open_place(&record->collective_count, record->recent_collectives, &serial);
    count_copies_place(record, call, serial, collective_class, described.root, arrays);
    collective_fill_place(call, serial, described, NULL);
    collective_count(thread, record, collective_class, described.root);
    return call;
}

/* The record of the call that the thread is in; `datatype`: its record's address. */
INLINE struct mpilens_collective collective_described(const struct thread *thread,
                                                      const struct collective_arguments *arguments, uint64_t datatype)
{
    return (struct mpilens_collective){.entered = thread->published.entered,
                                       .site = arguments->site,
                                       .function = arguments->function,
                                       .root = arguments->root,
                                       .has_root = arguments->has_root,
                                       .count = arguments->count,
                                       .datatype = datatype,
                                       .op = arguments->op,
                                       .buffer = arguments->buffer};
}

/* The call that collective_note has given `call` for is over. */
INLINE void collective_note_end(const struct thread *thread, struct mpilens_communicator *record,
                                uint32_t collective_class, struct mpilens_collective *call)
{
    call->active = 0;
    collective_count_active(thread, &record->collective_states[collective_class], -1);
}

/* A blocking call on the communicator of `record`, NULL: it is not known. Returns its entry among the recent ones, or
 * NULL. */
INLINE struct mpilens_collective *collective_begin(struct thread *thread, struct mpilens_communicator *record,
                                                   const struct collective_arguments arguments)
{
    call_begin_other(thread, arguments.function, arguments.site, record);
    if (unlikely(record == NULL))
        return NULL;
    struct mpilens_datatype *datatype =
        arguments.has_datatype ? datatype_find(thread, arguments.datatype, false) : NULL;
    return collective_note_given(thread, record, arguments.collective_class,
                                 collective_described(thread, &arguments, (uint64_t)(uintptr_t)datatype),
                                 arguments.arrays);
}

/* It has failed, or other threads may end calls at the same time. */
void collective_end_slowly(const struct thread *thread, struct mpilens_collective *call, uint32_t collective_class,
                           int error) COLD;

/* It has returned `error`, as this does. */
INLINE int collective_end(struct thread *thread, struct mpilens_collective *call, uint32_t collective_class, int error)
{
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    if (likely(call != NULL)) {
        if (unlikely(error != MPI_SUCCESS || thread->requests.shared)) {
            collective_end_slowly(thread, call, collective_class, error);
        } else {
            call->active = 0;
            record->collective_states[collective_class].active--;
            collective_mark_if_due(record, call, call->serial);
        }
    }
    call_end(thread);
    return error;
}

/* `persistent` is one of these calls, which has just got its arrays of counts: short ones are copied, and of others it
 * is noted where they are, until it is forgotten. Not of calls with an op: it takes their place. */
void collective_keep_arrays(struct mpilens_operation *persistent, const struct collective_arguments *arguments);
void collective_forget_arrays(struct mpilens_operation *persistent);

/* `persistent` is about to be started once more. Returns the serial of the call, 0: not known. */
uint64_t collective_restart(struct thread *thread, const struct mpilens_operation *persistent);

/* A nonblocking one, or MPI_Comm_idup, is over. */
void collective_over(const struct mpilens_operation *operation);

/* A nonblocking one has failed to start: it was no call on the communicator. Before collective_over. */
void collective_never_was(const struct mpilens_operation *operation);

/* The thread's current call, if it is a collective one, will never end normally. */
void collective_abandon(struct thread *thread);

/* -- collective_request.c --
 * Collective calls that give a request.
 */

/* A nonblocking call. The call is in place when this returns. Its operation, or NULL. */
struct mpilens_operation *collective_start(struct thread *thread, const struct collective_arguments *arguments);

/* MPI_*_init has given `request`. */
void collective_bind(struct thread *thread, const struct collective_arguments *arguments, uint64_t request);

/* -- persistent.c --
 * Persistent requests: the arguments of operations, and what MPI_Start makes of them. The record of the request is in
 * state MPILENS_OPERATION_PERSISTENT; `started` is the operation that it started last and that is active.
 */

/* MPI_*_init has given `request`. NULL is fine. */
void persistent_bind(struct thread *thread, struct mpilens_operation *persistent, uint64_t request);

/* MPI_Start, MPI_Startall: begins the operations of the requests. The call is in place when this returns. Before the
 * real call ... */
void persistent_start(struct thread *thread, uint32_t function, uint64_t site, int count, const MPI_Request *requests);

/* ... after it. */
void persistent_started(struct thread *thread, int error);

/* The thread's current call, if it starts requests, will never end normally. */
void persistent_abandon(struct thread *thread);

/* The operation that `persistent` started is over. */
void persistent_complete(struct thread *thread, struct mpilens_operation *persistent, const MPI_Status *status,
                         int error);

/* Flags of a persistent request whose start, or whose operation's end, needs the slow path. */
#define PERSISTENT_NOT_SIMPLE                                                                                          \
    (MPILENS_OPERATION_CANCEL_CALLED | MPILENS_OPERATION_PARTITIONED | MPILENS_OPERATION_OTHER_CLASSES)

/* Whether it is a message without peculiarities, and inactive. */
INLINE bool persistent_starts_simply(const struct mpilens_operation *persistent)
{
    return persistent->state == MPILENS_OPERATION_PERSISTENT && persistent->started == 0 &&
           !(persistent->flags & PERSISTENT_NOT_SIMPLE);
}

/* Whether it has started something without peculiarities. */
INLINE bool persistent_is_simple(const struct mpilens_operation *persistent)
{
    const struct mpilens_operation *started = operation_at(persistent->started);
    return started != NULL && !(started->flags & PERSISTENT_NOT_SIMPLE);
}

/* The fields from communicator to request, which an operation has of the persistent request that starts it. */
enum {
    PERSISTENT_ARGUMENTS = offsetof(struct mpilens_operation, communicator),
    PERSISTENT_ARGUMENTS_END = offsetof(struct mpilens_operation, site),
};
static_assert(offsetof(struct mpilens_operation, request) + sizeof(uint64_t) == PERSISTENT_ARGUMENTS_END,
              "the request is the last of them");

/* Publishes what `persistent` starts now. There is a free record. `channel`: of a send, where it counts. `own`: the
 * runtime's own, or of a collective its serial. */
INLINE struct mpilens_operation *persistent_begin(struct thread *thread, const struct mpilens_operation *persistent,
                                                  struct mpilens_channel *channel, uint64_t own)
{
    if (persistent->flags & MPILENS_OPERATION_SEND)
        channel->sent++;
    struct mpilens_operation *operation = operation_take(thread);
    operation_open(thread, operation);
    operation->posted_time = thread->published.entered;
    operation->function = persistent->function;
    memcpy((char *)operation + PERSISTENT_ARGUMENTS, (const char *)persistent + PERSISTENT_ARGUMENTS,
           PERSISTENT_ARGUMENTS_END - PERSISTENT_ARGUMENTS);
    operation->site = thread->published.site;
    operation->flags = (persistent->flags & ~MPILENS_OPERATION_PAIRED) | MPILENS_OPERATION_FROM_PERSISTENT;
    operation->own = own;
    operation->second = 0;
    operation_publish(thread, operation, MPILENS_OPERATION_PENDING);
    return operation;
}

/* As persistent_begin, of a request of this thread that starts simply. */
INLINE struct mpilens_operation *persistent_begin_simply(struct thread *thread,
                                                         const struct mpilens_operation *persistent)
{
    return persistent_begin(thread, persistent, operation_kept_channel(persistent), persistent->own);
}

/* `operation`, which this call has started, may still fail. */
INLINE void persistent_note_start(struct thread *thread, struct mpilens_operation *persistent,
                                  struct mpilens_operation *operation)
{
    operation->next = (uint64_t)(uintptr_t)thread->scratch.starting;
    thread->scratch.starting = operation;
    __atomic_store_n(&persistent->started, (uint64_t)(uintptr_t)operation, __ATOMIC_RELEASE);
}

/* MPI_Start of a request of this thread that starts simply. The call is in place when this returns. */
INLINE void persistent_start_own(struct thread *thread, uint32_t function, uint64_t site,
                                 struct mpilens_operation *persistent)
{
    call_begin_counting(thread, function, site, NULL);
    persistent_note_start(thread, persistent, persistent_begin_simply(thread, persistent));
}

/* As persistent_started, and the call is over. Returns `error`. */
int persistent_not_started(struct thread *thread, int error) COLD;

/* After the real call. Returns `error`. */
INLINE int persistent_started_own(struct thread *thread, int error)
{
    if (unlikely(error != MPI_SUCCESS))
        return persistent_not_started(thread, error);
    thread->scratch.starting = NULL;
    call_end(thread);
    return MPI_SUCCESS;
}

/* -- completion.c -- Calls that wait for requests or test them. The operation of a request is looked up before the
 * call, or, for arrays, by copies of the handles made before it. After the call, the handle variable tells whether it
 * is over, whatever the call returned.
 */

/* As completion_begin_array, also where there is no room yet, or nothing to copy. */
bool completion_begin_array_slowly(struct thread *thread, uint32_t function, uint64_t site, int count,
                                   const MPI_Request *requests, MPI_Status **statuses);

/* Copies [count] handles: mostly few, then in less time than it takes to call memcpy. */
INLINE void completion_copy_handles(MPI_Request *copies, const MPI_Request *requests, size_t count)
{
    enum { FEW = 4 };
    if (unlikely(count > FEW)) {
        memcpy(copies, requests, count * sizeof *requests);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        copies[i] = requests[i];
        __asm__("" : : : "memory"); /* or a compiler calls memcpy */
    }
}

/* Copies [count] request handles and, where `statuses` is to be ignored, finds room for as many. The call is in place
 * when this returns. False: no room; then nothing of the call is tracked. */
INLINE bool completion_begin_array(struct thread *thread, uint32_t function, uint64_t site, int count,
                                   const MPI_Request *requests, MPI_Status **statuses)
{
    struct scratch *scratch = &thread->scratch;
    const size_t wanted = (size_t)(unsigned)count;
    const bool ignores = statuses != NULL && *statuses == MPI_STATUSES_IGNORE;
    if (unlikely(count <= 0 || requests == NULL || wanted * sizeof *requests > scratch->handles_bytes ||
                 (ignores && wanted * sizeof **statuses > scratch->statuses_bytes)))
        return completion_begin_array_slowly(thread, function, site, count, requests, statuses);
    if (ignores)
        *statuses = scratch->statuses;
    scratch->handles_of = NULL;
    completion_copy_handles(scratch->handles, requests, wanted);
    thread->published.requests = (uint64_t)(uintptr_t)scratch->handles;
    thread->published.request_count = wanted;
    call_begin_counting(thread, function, site, NULL);
    return true;
}

/* Where `*statuses` is to be ignored, and [count] are wanted, finds room for as many. NULL: the call has none, or one.
 * False: no room. */
bool completion_provide_statuses(struct thread *thread, size_t count, MPI_Status **statuses);

/* After a call that names the one that has completed by `index` (NULL: none has). */
void completion_end_any(struct thread *thread, const int *index, const MPI_Request *requests, const MPI_Status *status,
                        int error);

/* After a call that names what has completed by `indices` [*outcount], statuses in the same order. */
void completion_end_some(struct thread *thread, const int *outcount, const int *indices, const MPI_Request *requests,
                         const MPI_Status *statuses, int error);

/* After a call for all of [count] that has failed, or has found all complete. */
void completion_end_all(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                        int error);

/* As completion_end_all, and ends the call. Returns `error`. */
int completion_end_waitall(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                           int error);

/* The end of a wait or successful test, in the general case. `operation` NULL: none was found. */
void completion_end_slowly(struct thread *thread, struct mpilens_operation *operation, uint64_t value,
                           const MPI_Request *request, const MPI_Status *status, int error);

/* Flags of an operation whose end needs the slow path. */
#define COMPLETION_NOT_SIMPLE                                                                                          \
    (MPILENS_OPERATION_PAIRED | MPILENS_OPERATION_SHARES_REQUEST | MPILENS_OPERATION_CANCEL_CALLED |                   \
     MPILENS_OPERATION_OTHER_CLASSES)

/* The call in place, for one request. */
INLINE void completion_describe(struct thread *thread, uint32_t function, uint64_t site,
                                const struct mpilens_operation *operation)
{
    thread->published.site = site;
    clock_stamp(&thread->published.entered);
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    call_begin(thread, function);
}

/* A call for one request: returns its operation, or NULL. The call is in place when this returns. */
INLINE struct mpilens_operation *completion_begin(struct thread *thread, uint32_t function, uint64_t site,
                                                  const MPI_Request *request, MPI_Status **status)
{
    struct mpilens_operation *operation =
        unlikely(request == NULL) ? NULL : request_find(thread, HANDLE_VALUE(*request));
    if (*status == MPI_STATUS_IGNORE)
        *status = &thread->scratch.status;
    completion_describe(thread, function, site, operation);
    return operation;
}

/* `request` was `value` before the call. */
INLINE void completion_end(struct thread *thread, struct mpilens_operation *operation, uint64_t value,
                           const MPI_Request *request, const MPI_Status *status, int error)
{
    if (likely(operation != NULL) || thread->requests.shared)
        completion_end_slowly(thread, operation, value, request, status, error);
}

/* As completion_end_slowly, and the call is over. Returns `error`. */
int completion_end_unusually(struct thread *thread, struct mpilens_operation *operation, const MPI_Request *request,
                             const MPI_Status *status, int error) COLD;

/* An operation of this thread, already removed from its table, is over without error or cancel. */
INLINE void completion_of_own(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status)
{
    if (operation->flags & MPILENS_OPERATION_RECEIVE)
        operation_received_own(thread, operation, operation_channel_if_kept(operation), status);
    operation_retire(thread, operation);
}

/* The end of a wait for what this thread has started, without peculiarities. `status` is of a receive only. Returns
 * `error`. */
INLINE int completion_end_own(struct thread *thread, struct mpilens_operation *operation, const MPI_Request *request,
                              const MPI_Status *status, bool is_receive, int error)
{
    if (unlikely(error != MPI_SUCCESS || *request != MPI_REQUEST_NULL ||
                 !request_table_remove_own(&thread->requests, operation->request, operation)))
        return completion_end_unusually(thread, operation, request, status, error);
    if (is_receive)
        operation_received_own(thread, operation, operation_channel_if_kept(operation), status);
    operation_retire(thread, operation);
    call_end(thread);
    return MPI_SUCCESS;
}

/* The end of a wait for `persistent`, a request of this thread that was simple. Returns `error`. */
INLINE int completion_end_persistent(struct thread *thread, struct mpilens_operation *persistent,
                                     const MPI_Request *request, const MPI_Status *status, int error)
{
    struct mpilens_operation *started = operation_at(persistent->started);
    if (unlikely(error != MPI_SUCCESS || started == NULL || (started->flags & PERSISTENT_NOT_SIMPLE)))
        return completion_end_unusually(thread, persistent, request, status, error);
    __atomic_store_n(&persistent->started, 0, __ATOMIC_RELEASE);
    if (started->flags & MPILENS_OPERATION_RECEIVE)
        operation_received_own(thread, started, operation_channel_if_kept(started), status);
    operation_retire_anyones(thread, started);
    call_end(thread);
    return MPI_SUCCESS;
}

/* -- failed_call.c --
 * Keeps what MPI calls that failed were, also those for which MPI ends the job. Nothing here runs while calls succeed.
 */

/* Where a call was noted. Another one may get the record later. */
struct raised_call {
    struct mpilens_failed_call
        *record; /* NULL: there is no memory, or MPI has raised it while this asked for its text */
    uint64_t serial;
};

/* MPI is about to call an error handler for `error`, in its function `name` ("MPI_Recv", "internal_Recv"; NULL: not
 * known). Returns what failed_call_handled needs. */
struct raised_call failed_call_raised(const char *name, int error) COLD;

/* The handler has returned, and so will the call. */
void failed_call_handled(struct raised_call raised, const char *name) COLD;

/* The call that the thread is in, and that is over, has returned `error`. It is noted unless it was raised. */
void failed_call_returned(const struct thread *thread, int error) COLD;

/* The program is about to end the job with this code. */
void failed_call_abort(int code) COLD;

/* -- request_operation.c --
 * Operations that have a request and are not messages: nonblocking and persistent collectives, one-sided and file
 * operations with a request, MPI_Comm_idup, generalized requests, MPI_Buffer_iflush. Behind the hot path.
 */

/* Arguments of a new operation; meanings by class as in layout.def. */
struct request_operation {
    uint64_t site;
    uint64_t buffer;
    uint64_t count;
    uint64_t communicator; /* addresses of records, 0: none or not known */
    uint64_t datatype;
    uint64_t object;  /* the record that it works on: of its class's kind */
    uint64_t detail;  /* collective, op or offset of the operation */
    uint64_t request; /* where it is known already */
    int32_t peer;
    int32_t tag;
    uint32_t function;
    uint32_t flags; /* class, mode */
    uint32_t state; /* MPILENS_OPERATION_PENDING or _PERSISTENT */
};

/* Before the real call: publishes it. NULL: there is no record; counted. */
INLINE struct mpilens_operation *request_operation_begin(struct thread *thread, const struct request_operation *begun)
{
    if (thread->free_operations == NULL && !operation_take_slowly(thread))
        return NULL;
    struct mpilens_operation *operation = operation_take(thread);
    operation_open(thread, operation);
    clock_stamp(&operation->posted_time);
    operation->function = begun->function;
    operation->communicator = begun->communicator;
    operation->datatype = begun->datatype;
    operation->count = begun->count;
    operation->buffer = begun->buffer;
    operation->peer = begun->peer;
    operation->tag = begun->tag;
    operation->site = begun->site;
    operation->flags = begun->flags;
    operation->request = begun->request;
    operation->collective = begun->detail;
    operation->object = begun->object;
    operation_publish(thread, operation, begun->state);
    return operation;
}

/* After it; `request` is what it gave. NULL is fine. */
void request_operation_started(struct thread *thread, struct mpilens_operation *operation, int error, uint64_t request);

/* MPI_Comm_idup on `parent` has given the communicator of record `created` and `request`. After communicator_created:
 *   communicator_pending_started(thread, site, @function@, derivation.parent, record, call, HANDLE_VALUE(*@request@));
 * When the request is over, or at once where it is complete by nature, communicator_used(created) is called, and
 * `call`, its place in the order of the parent, is left. NULL records are fine. */
void communicator_pending_started(struct thread *thread, uint64_t site, uint32_t function,
                                  const struct mpilens_communicator *parent, const struct mpilens_communicator *created,
                                  struct mpilens_collective *call, uint64_t request);

/* -- object_call.c -- Calls on a window or a file: puts the call and its object in place; shared by the two kinds.
 */

/* `object`: the record of the window or file, or NULL; `communicator`: address of its communicator's record; `target`:
 * MPI_ANY_SOURCE where there is none. */
INLINE void call_begin_asking_object(struct thread *thread, uint32_t function, uint64_t site, const void *object,
                                     uint64_t communicator, int32_t target)
{
    thread->published.object = (uint64_t)(uintptr_t)object;
    thread->published.target = target;
    call_begin_asking(thread, function, site, (const struct mpilens_communicator *)(uintptr_t)communicator);
}

/* As call_begin_asking_object; the thread no longer polls. */
INLINE void call_begin_object(struct thread *thread, uint32_t function, uint64_t site, const void *object,
                              uint64_t communicator, int32_t target)
{
    thread->published.polls = 0;
    call_begin_asking_object(thread, function, site, object, communicator, target);
}

/* A call on a file. */
INLINE void call_begin_file(struct thread *thread, uint32_t function, uint64_t site, const struct mpilens_file *file)
{
    call_begin_object(thread, function, site, file, file != NULL ? file->communicator : 0, MPI_ANY_SOURCE);
}

/* A call on a window; `peer` is its target, or MPI_ANY_SOURCE. */
INLINE void call_begin_window(struct thread *thread, uint32_t function, uint64_t site,
                              const struct mpilens_window *window, int32_t peer)
{
    call_begin_object(thread, function, site, window, window != NULL ? window->communicator : 0, peer);
}

/* A call that starts `begun`, on the object that this names. NULL: there is no record of the operation, only the call.
 */
struct mpilens_operation *call_begin_object_operation(struct thread *thread, const struct request_operation *begun);

/* -- operation_abandon.c --
 * Calls that will never end normally.
 */

/* Abandons the operation of the thread's current call, which will never end normally. */
void operation_abandon_current(struct thread *thread) COLD;

/* -- operation_complete.c --
 * How operations end in the general case. operation.c has the usual one.
 */

/* One of the operations of `request`, which names many at a time and may do so in other threads, is over. */
void operation_complete_any(struct thread *thread, uint64_t request, const MPI_Status *status, int error);

/* `operation` itself is over, and in no table. */
void operation_complete_alone(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                              int error);

/* `operation`, collected through `request`, which is not persistent, is over. */
void operation_complete(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                        const MPI_Status *status, int error);

/* -- partitioned.c --
 * Partitioned communication: which partitions of a request have been marked ready, or seen to have arrived, since it
 * was started last.
 */

/* MPI_Psend_init or MPI_Precv_init has given a request of `partitions`. Before the request is bound. NULL is fine. */
void partitioned_describe(struct mpilens_operation *persistent, int partitions);

/* `persistent` is about to be started. */
void partitioned_clear(const struct mpilens_operation *persistent);

/* Its record is about to be retired. Nothing happens to other operations. */
void partitioned_forget(struct mpilens_operation *operation);

/* MPI_Pready and the like have succeeded on `request`: partitions first to last, both included. */
void partitioned_mark(struct thread *thread, uint64_t request, int first, int last);

/* -- poll.c --
 * Tests and probes that find nothing. A thread that makes no other calls is in a loop of them, which is over when one
 * of them finds something or another call is made. The thread's record tells the polls of the loop apart, as far as
 * there is room.
 *
 * A loop goes round for millions of times. A poll that is the one expected next, with the same arguments, is only
 * counted: the thread's record describes it already, as a poll of the loop and not as a call. The clock is read now and
 * then.
 */

enum poll_subject { POLL_OF_REQUEST, POLL_OF_REQUESTS, POLL_OF_MESSAGE, POLL_OF_WINDOW };

/* A poll begins that is not the one expected. */
void poll_begin_new_of_requests(struct thread *thread, uint32_t function, uint64_t site, int count,
                                const MPI_Request *requests, MPI_Status **statuses);
void poll_begin_new_of_message(struct thread *thread, uint32_t function, uint64_t site, MPI_Comm communicator, int peer,
                               int tag);

/* The thread's current call has found nothing, and there is more to note than its count. */
void poll_note(struct thread *thread, enum poll_subject subject);

/* The ends of the tests that poll_begin_of_requests began, where they have failed or found something: that some are
 * complete, or that there are none. */
void poll_end_testall(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                      int error);
void poll_end_testany(struct thread *thread, const int *index, const MPI_Request *requests, const MPI_Status *status,
                      int error);
void poll_end_testsome(struct thread *thread, const int *outcount, const int *indices, const MPI_Request *requests,
                       const MPI_Status *statuses, int error);

/* MPI_Parrived, the current call, has said whether the partition has arrived. */
void poll_end_of_partition(struct thread *thread, uint64_t request, int partition, bool arrived);

/* Whether all calls of the thread since its loop began were polls that found nothing. */
INLINE bool poll_loop_goes_on(const struct thread *thread)
{
    const struct mpilens_thread *call = &thread->published;
    return call->polls > 0 && call->operations + call->completions == thread->poll_counted;
}

/* The poll that the loop makes next if it goes round as before, where that is this function from this place; or NULL.
 */
INLINE struct poll_slot *poll_expected(const struct thread *thread, uint32_t function, uint64_t site)
{
    struct poll_slot *slot = thread->newest_poll->follower;
    const bool is_expected = slot->key.site == site && slot->key.function == function && poll_loop_goes_on(thread);
    return likely(is_expected) ? slot : NULL;
}

/* Whether the expected poll asks for the same as the call. In a loop, a handle names what it has named before, as long
 * as no other thread comes to the thread's table. */
INLINE bool poll_is_of_request(const struct thread *thread, const struct poll_slot *expected, uint64_t request)
{
    return expected->request == request && !__atomic_load_n(&thread->requests.open, __ATOMIC_RELAXED);
}

/* False also where thread->scratch has not its handles, and room for its statuses. */
INLINE bool poll_is_of_requests(const struct thread *thread, const struct poll_slot *expected, int count,
                                const MPI_Request *requests)
{
    const struct scratch *scratch = &thread->scratch;
    const MPI_Request *copies = scratch->handles;
    if (scratch->handles_of != expected || expected->key.subject != (uint64_t)count || thread->requests.shared)
        return false;
    for (int i = 0; i < count; i++)
        if (copies[i] != requests[i])
            return false;
    return true;
}

INLINE bool poll_is_of_message(const struct poll_slot *expected, MPI_Comm communicator, int peer, int tag)
{
    return expected->key.peer == peer && expected->key.tag == tag &&
           handle_cache_hit(expected->communicator, HANDLE_VALUE(communicator)) &&
           (uint64_t)(uintptr_t)expected->communicator->record == expected->key.subject;
}

/* The expected poll begins. */
INLINE void poll_begin_expected(struct thread *thread, struct poll_slot *expected, uint32_t function)
{
    thread->scratch.poll_is_new = false;
    thread->newest_poll = expected;
    call_begin(thread, function);
}

/* Another poll begins. */
INLINE void poll_begin_new(struct thread *thread)
{
    thread->scratch.poll_is_new = true;
    thread->polls_to_note = 1;
}

/* A test of one request begins; `expected` is that poll, or NULL. The operation is in published.operation. */
INLINE void poll_begin_of_request(struct thread *thread, struct poll_slot *expected, uint32_t function, uint64_t site,
                                  uint64_t request)
{
    if (expected == NULL) {
        poll_begin_new(thread);
        thread->scratch.request = request;
        completion_describe(thread, function, site, request_find(thread, request));
        return;
    }
    thread->published.operation = expected->key.subject;
    poll_begin_expected(thread, expected, function);
}

/* As poll_begin_of_request, for an array (see completion_begin_array); published.request_count is the number of known
 * handles until the end of the call. */
INLINE void poll_begin_of_requests(struct thread *thread, struct poll_slot *expected, uint32_t function, uint64_t site,
                                   int count, const MPI_Request *requests, MPI_Status **statuses)
{
    if (expected == NULL) {
        poll_begin_new_of_requests(thread, function, site, count, requests, statuses);
        return;
    }
    if (statuses != NULL && *statuses == MPI_STATUSES_IGNORE)
        *statuses = thread->scratch.statuses;
    thread->published.request_count = (uint64_t)count;
    poll_begin_expected(thread, expected, function);
}

/* As poll_begin_of_request, for a probe. */
INLINE void poll_begin_of_message(struct thread *thread, struct poll_slot *expected, uint32_t function, uint64_t site,
                                  MPI_Comm communicator, int peer, int tag)
{
    if (expected != NULL)
        poll_begin_expected(thread, expected, function);
    else
        poll_begin_new_of_message(thread, function, site, communicator, peer, tag);
}

/* The call that began so has found nothing, and is over. Returns MPI_SUCCESS. */
INLINE int poll_end_in_vain(struct thread *thread, enum poll_subject subject)
{
    if (likely(--thread->polls_to_note != 0))
        thread->published.polls++;
    else
        poll_note(thread, subject);
    if (subject == POLL_OF_REQUESTS)
        thread->published.request_count = 0;
    call_end(thread);
    int error = MPI_SUCCESS;
    __asm__("" : "+r"(error)); /* or a compiler keeps what it knows to be 0 in a register that it must save */
    return error;
}

/* As poll_end_in_vain, for a poll that began as a new one. */
INLINE void poll_in_vain_as_new(struct thread *thread, enum poll_subject subject)
{
    thread->scratch.poll_is_new = true;
    poll_note(thread, subject);
}

/* The call that began so has found something or failed: it is a call like others. */
INLINE void poll_becomes_call(struct thread *thread)
{
    if (thread->scratch.poll_is_new)
        return;
    thread->published.site = thread->newest_poll->key.site;
    clock_stamp(&thread->published.entered);
}

/* A test of one request that has found something or failed. */
void poll_end_of_request(struct thread *thread, const MPI_Request *request, const MPI_Status *status, int error);

/* The call that began so has found a message or failed, and is over. Returns `error`. */
int poll_end_of_message(struct thread *thread, int error);

/* The thread polls no more. */
INLINE void poll_loop_ends(struct thread *thread)
{
    poll_becomes_call(thread);
    thread->published.polls = 0;
}

/* -- request.c --
 * Requests that are cancelled, freed or asked about, and generalized ones.
 */

/* MPI_Cancel has succeeded. */
void request_cancelled(struct thread *thread, uint64_t request);

/* MPI_Request_free has succeeded on what was `operation` under `request`. */
void request_freed(struct thread *thread, struct mpilens_operation *operation, uint64_t request);

/* MPI_Request_get_status says that the request is complete. */
void request_seen_complete(struct thread *thread, uint64_t request, const MPI_Status *status);

/* As request_seen_complete, for the requests [count] named by `indices`, statuses in the same order; `indices` NULL:
 * the first `outcount`. */
void requests_seen_complete(struct thread *thread, int outcount, const int *indices, const MPI_Request *requests,
                            int count, const MPI_Status *statuses);

/* MPI_Grequest_start. The call is in place when this returns. Its operation, or NULL. */
struct mpilens_operation *generalized_start(struct thread *thread, uint32_t function, uint64_t site);

/* MPI_Grequest_complete, which any thread may call, is about to be called: from then on the request may be collected
 * and its record serve another operation. Returns the operation where the call must be undone if it fails, or NULL. */
struct mpilens_operation *generalized_completing(struct thread *thread, uint64_t request);

/* It has failed. NULL is fine. */
void generalized_not_complete(struct mpilens_operation *operation);

/* -- request_operation_over.c -- The end of operations that have a request and are not messages: tells the object that
 * they work on.
 */

/* Tells the object that the operation works on that it is over or never began: once, even if that is known before the
 * application collects it. */
void request_operation_over(struct mpilens_operation *operation);

/* The same, and its record is about to be retired. Nothing happens to other operations. */
void request_operation_forget(struct mpilens_operation *operation);

#endif
