/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rare turns in an operation's life.
 */
#include "operation.h"

#include "collective.h"
#include "functions.h"
#include "partitioned.h"
#include "persistent.h"
#include "request_operation.h"
#include "table.h"

enum {
    BATCH = 32,          /* records taken from the table at a time */
    SURPLUS_KEPT = 1024, /* free records that a thread keeps when it gives back */
};

uint64_t mpilens__request_of_null_process;

static struct mpilens_operation *address_of(uint64_t address)
{
    return (struct mpilens_operation *)(uintptr_t)address;
}

/* Takes up to BATCH records from the table onto the free list. */
static size_t take_batch(struct thread *thread)
{
    void *records[BATCH];
    if (!request_table_reserve(&thread->requests, thread->operations_held + BATCH))
        return 0;
    size_t taken = table_take(MPILENS_TABLE_OPERATIONS, BATCH, records);
    for (size_t i = taken; i-- > 0;) {
        struct mpilens_operation *operation = records[i];
        operation->thread = thread->published.index;
        operation->partner = 0;
        operation->next = (uint64_t)(uintptr_t)thread->free_operations;
        thread->free_operations = operation;
    }
    thread->operations_held += taken;
    return taken;
}

bool operations_prepare(struct thread *thread)
{
    for (int i = 0; i < RECORDER_SLOTS; i++) {
        if (!thread->free_operations && take_batch(thread) == 0)
            return false;
        thread->recorder[i] = operation_take(thread);
    }
    return true;
}

/* Puts what others have completed in the recorder, in the order of completion. */
static void take_back_returned(struct thread *thread)
{
    struct mpilens_operation *youngest = __atomic_exchange_n(&thread->returned, NULL, __ATOMIC_ACQUIRE);
    struct mpilens_operation *oldest = NULL;
    while (youngest) {
        struct mpilens_operation *next = address_of(youngest->next);
        youngest->next = (uint64_t)(uintptr_t)oldest;
        oldest = youngest;
        youngest = next;
    }
    while (oldest) {
        struct mpilens_operation *next = address_of(oldest->next);
        uint64_t place = thread->published.completions++ % RECORDER_SLOTS;
        struct mpilens_operation *free_operation = thread->recorder[place];
        thread->recorder[place] = oldest;
        free_operation->next = (uint64_t)(uintptr_t)thread->free_operations;
        thread->free_operations = free_operation;
        oldest = next;
    }
}

bool operation_take_slowly(struct thread *thread)
{
    if (__atomic_load_n(&thread->returned, __ATOMIC_RELAXED))
        take_back_returned(thread);
    if (thread->free_operations || take_batch(thread) > 0)
        return true;
    thread->published.untracked++;
    return false;
}

struct mpilens_operation *operation_begin(struct thread *thread, struct operation_arguments arguments)
{
    struct operation_cache_entry *entry =
        operation_cache_place(thread, arguments.communicator, arguments.datatype, arguments.peer);
    if (!operation_cache_hit(entry, arguments.communicator, arguments.datatype, arguments.peer))
        entry = operation_cache_fill(thread, arguments.communicator, arguments.datatype, arguments.peer);
    if (unlikely(!thread->free_operations) && !operation_take_slowly(thread))
        return NULL;
    struct mpilens_operation *operation = operation_take(thread);
    operation_begin_at(thread, entry, operation, arguments);
    return operation;
}

/* Back to its owner, in this state. */
static void give_to_owner(struct mpilens_operation *operation, enum mpilens_operation_state state)
{
    struct thread *owner = __atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE);
    while (owner && owner->published.index != operation->thread)
        owner = owner->next;
    if (!owner)
        return;
    __atomic_store_n(&operation->state, state, __ATOMIC_RELEASE);
    struct mpilens_operation *first = __atomic_load_n(&owner->returned, __ATOMIC_RELAXED);
    do
        operation->next = (uint64_t)(uintptr_t)first;
    while (!__atomic_compare_exchange_n(&owner->returned, &first, operation, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

void operation_return(struct mpilens_operation *operation)
{
    give_to_owner(operation, MPILENS_OPERATION_RETIRED);
}

void operation_drop(struct mpilens_operation *operation)
{
    struct mpilens_operation *partner = operation_second(operation);
    if (partner)
        operation->partner = 0;
    partitioned_forget(operation);
    request_operation_forget(operation);
    give_to_owner(operation, MPILENS_OPERATION_ABANDONED);
    if (partner)
        give_to_owner(partner, MPILENS_OPERATION_ABANDONED);
}

/* After a burst most records of the thread lie in its free list; all but some go back to the table. */
static void give_back_surplus(struct thread *thread)
{
    struct mpilens_operation *last_kept = thread->free_operations;
    for (int i = 1; i < SURPLUS_KEPT && last_kept; i++)
        last_kept = address_of(last_kept->next);
    if (!last_kept)
        return;
    struct mpilens_operation *surplus = address_of(last_kept->next);
    last_kept->next = 0;
    while (surplus) {
        void *records[BATCH];
        size_t count = 0;
        for (; surplus && count < BATCH; surplus = address_of(surplus->next))
            records[count++] = surplus;
        table_give_back(MPILENS_TABLE_OPERATIONS, records, count);
        thread->operations_held -= count;
    }
}

void operations_maintain(struct thread *thread)
{
    process_note_clock();
    if (__atomic_load_n(&thread->returned, __ATOMIC_RELAXED))
        take_back_returned(thread);
    /* An estimate: what others have completed and not yet given back counts as live. */
    uint64_t started = thread->published.operations - ((uint64_t)thread->published.index << 40);
    uint64_t live = started > thread->published.completions ? started - thread->published.completions : 0;
    if (thread->operations_held > live + RECORDER_SLOTS + UINT64_C(4) * SURPLUS_KEPT)
        give_back_surplus(thread);
}

/* The operation never was: neither its channel nor its datatype has been used. */
static void forget_use(struct thread *thread, const struct mpilens_operation *operation)
{
    if (operation->posted == thread->unknown_datatype_serial)
        thread->unknown_datatype = 0;
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)operation->communicator;
    if (!(operation->flags & MPILENS_OPERATION_SEND) || !record)
        return;
    struct mpilens_channel *channel = channel_of_record(thread, record, operation->peer);
    if (channel)
        channel->sent--;
}

void operation_failed(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation->flags & MPILENS_OPERATION_COLLECTIVE)
        collective_never_was(operation);
    request_operation_forget(operation);
    forget_use(thread, operation);
    operation_discard(thread, operation);
}

void operation_failed_borrowed(struct thread *thread, struct mpilens_operation *operation)
{
    forget_use(thread, operation);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_ABANDONED, __ATOMIC_RELEASE);
}

void operation_discard(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation->thread != thread->published.index) {
        give_to_owner(operation, MPILENS_OPERATION_ABANDONED);
        return;
    }
    operation_retire(thread, operation);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_ABANDONED, __ATOMIC_RELEASE);
}

static bool is_borrowed(const struct thread *thread, const struct mpilens_operation *operation)
{
    return operation == operation_borrow(thread) && operation->state == MPILENS_OPERATION_PENDING;
}

/* Of what the call itself does only: what a request names lives on. It has failed. */
static void abandon(struct thread *thread, struct mpilens_operation *operation)
{
    if (!operation || operation->thread != thread->published.index ||
        operation->function != thread->published.function ||
        (!(operation->flags & MPILENS_OPERATION_BLOCKING) && operation->request != 0) ||
        (operation->state != MPILENS_OPERATION_PENDING && operation->state != MPILENS_OPERATION_MATCHED))
        return;
    if (is_borrowed(thread, operation))
        operation_failed_borrowed(thread, operation);
    else
        operation_failed(thread, operation);
}

void operation_abandon_current(struct thread *thread)
{
    abandon(thread, address_of(thread->published.operation));
    abandon(thread, address_of(thread->published.operation_2));
    persistent_abandon(thread);
    thread->published.operation = 0;
    thread->published.operation_2 = 0;
    thread->published.request_count = 0;
}

bool operation_begin_inner(struct thread *thread, uint64_t outer)
{
    struct mpilens_operation *operation = address_of(outer);
    if (!operation || !is_borrowed(thread, operation))
        return false;
    if (!thread->free_operations && !operation_take_slowly(thread))
        return false; /* the inner call shows in the place of the outer one */
    thread->recorder[thread->published.completions % RECORDER_SLOTS] = operation_take(thread);
    return true;
}

void operation_end_inner(struct thread *thread, uint64_t outer)
{
    struct mpilens_operation **place = &thread->recorder[thread->published.completions % RECORDER_SLOTS];
    (*place)->next = (uint64_t)(uintptr_t)thread->free_operations;
    thread->free_operations = *place;
    *place = address_of(outer);
}

bool operation_received_despite(struct mpilens_operation *operation, int error, const MPI_Status *status)
{
    if (error != MPI_SUCCESS) {
        int error_class = MPI_ERR_OTHER;
        mpilens__real.MPI_Error_class(error, &error_class);
        return error_class == MPI_ERR_TRUNCATE;
    }
    int cancelled = 0;
    mpilens__real.MPI_Test_cancelled(status, &cancelled);
    if (cancelled)
        operation->flags |= MPILENS_OPERATION_CANCELLED;
    return !cancelled;
}

struct mpilens_channel *operation_channel_slowly(struct thread *thread, const struct mpilens_operation *operation,
                                                 int32_t source)
{
    static __thread struct mpilens_channel nowhere;
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)operation->communicator;
    struct mpilens_channel *channel = record ? channel_of_record(thread, record, source) : NULL;
    return channel ? channel : &nowhere;
}

/* A send that a cancel has undone. */
static bool unsent(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status, int error)
{
    if (!(operation->flags & MPILENS_OPERATION_CANCEL_CALLED) || error != MPI_SUCCESS ||
        operation_received_despite(operation, error, status))
        return false;
    forget_use(thread, operation);
    return true;
}

void operation_complete_alone(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                              int error)
{
    if (operation->flags & MPILENS_OPERATION_OTHER_CLASSES) {
        request_operation_forget(operation);
        operation_retire_anyones(thread, operation);
        return;
    }
    MPI_Status of_peer = *status;
    if (operation->flags & MPILENS_OPERATION_PARTITIONED) { /* no wildcards, and not every library gives its status */
        of_peer.MPI_SOURCE = operation->peer;
        of_peer.MPI_TAG = operation->tag;
        status = &of_peer;
    }
    bool no_message = operation->flags & MPILENS_OPERATION_RECEIVE
                          ? !operation_received(thread, operation, NULL, status, error)
                          : unsent(thread, operation, status, error);
    if (no_message)
        operation_discard(thread, operation);
    else
        operation_retire_anyones(thread, operation);
}

/* `operation` is in no table any more. */
static void complete_taken(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                           int error)
{
    struct mpilens_operation *partner = operation_second(operation);
    if (partner)
        operation->partner = 0;
    operation_complete_alone(thread, operation, status, error);
    if (partner)
        operation_complete_alone(thread, partner, status, error);
}

void operation_complete_any(struct thread *thread, uint64_t request, const MPI_Status *status, int error)
{
    struct mpilens_operation *operation = request_take_anywhere(thread, request);
    if (operation)
        complete_taken(thread, operation, status, error);
}

void operation_complete(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                        const MPI_Status *status, int error)
{
    /* Another thread may have collected it, because the library uses one handle for several requests, or again at once;
     * by now its record may be another operation's. */
    bool is_here = operation->request == request;
    if (is_here && operation->state == MPILENS_OPERATION_PERSISTENT) { /* the request stays and becomes inactive */
        persistent_complete(thread, operation, status, error);
        return;
    }
    if (!is_here || !request_remove_anywhere(thread, request, operation)) {
        bool reused = thread->requests.shared || request_is_complete_by_nature(request);
        operation = reused ? request_take_anywhere(thread, request) : NULL; /* that of the other thread */
        if (!operation)
            return;
    }
    complete_taken(thread, operation, status, error);
}
