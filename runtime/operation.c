/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rare turns in an operation's life.
 */
#include "operation.h"

#include "functions.h"
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
    for (int i = 0; i < RECORDER_CAPACITY; i++) {
        if (!thread->free_operations && take_batch(thread) == 0)
            return false;
        thread->recorder[i] = thread->free_operations;
        thread->free_operations = address_of(thread->free_operations->next);
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
        uint64_t place = thread->published.completions++ % RECORDER_CAPACITY;
        struct mpilens_operation *free_operation = thread->recorder[place];
        thread->recorder[place] = oldest;
        free_operation->next = (uint64_t)(uintptr_t)thread->free_operations;
        thread->free_operations = free_operation;
        oldest = next;
    }
}

struct mpilens_operation *operation_take_slowly(struct thread *thread)
{
    if (__atomic_load_n(&thread->returned, __ATOMIC_RELAXED))
        take_back_returned(thread);
    if (!thread->free_operations && take_batch(thread) == 0) {
        thread->published.untracked++;
        return NULL;
    }
    return thread->free_operations;
}

void operation_return(struct mpilens_operation *operation)
{
    struct thread *owner = mpilens__threads;
    while (owner && owner->published.index != operation->thread)
        owner = owner->next;
    if (!owner)
        return;
    __atomic_store_n(&operation->state, MPILENS_OPERATION_RETIRED, __ATOMIC_RELEASE);
    struct mpilens_operation *first = __atomic_load_n(&owner->returned, __ATOMIC_RELAXED);
    do
        operation->next = (uint64_t)(uintptr_t)first;
    while (!__atomic_compare_exchange_n(&owner->returned, &first, operation, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
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
    if (thread->operations_held > live + RECORDER_CAPACITY + 4 * SURPLUS_KEPT)
        give_back_surplus(thread);
}

void operation_uncount(struct thread *thread, const struct mpilens_operation *operation)
{
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)operation->communicator;
    struct mpilens_channel *channel = record ? channel_of_record(thread, record, operation->peer) : NULL;
    if (channel)
        channel->sent--;
}

void operation_failed(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation->flags & MPILENS_OPERATION_SEND)
        operation_uncount(thread, operation);
    operation_discard(thread, operation);
}

void operation_discard(struct thread *thread, struct mpilens_operation *operation)
{
    operation_retire_anyones(thread, operation);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_ABANDONED, __ATOMIC_RELEASE);
}

/* Of blocking calls only: what a request names lives on. */
static void abandon(struct thread *thread, struct mpilens_operation *operation)
{
    if (!operation || operation->thread != thread->published.index ||
        !(operation->flags & MPILENS_OPERATION_BLOCKING) || operation->function != thread->published.function ||
        operation->state != MPILENS_OPERATION_PENDING)
        return;
    operation_discard(thread, operation);
}

void operation_abandon_current(struct thread *thread)
{
    abandon(thread, address_of(thread->published.operation));
    abandon(thread, address_of(thread->published.operation_2));
    thread->published.operation = 0;
    thread->published.operation_2 = 0;
    thread->published.request_count = 0;
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

struct mpilens_operation *operation_remove_elsewhere(struct thread *thread, struct mpilens_operation *operation,
                                                     uint64_t request)
{
    while (operation && !request_remove_anywhere(thread, request, operation))
        operation = request_find_anywhere(thread, request, UINT64_MAX);
    return operation;
}

static void complete_one(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                         int error)
{
    if ((operation->flags & MPILENS_OPERATION_RECEIVE) && !operation_received(thread, operation, status, error))
        operation_discard(thread, operation);
    else
        operation_retire_anyones(thread, operation);
}

void operation_complete_partners(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                                 const MPI_Status *status, int error)
{
    struct mpilens_operation *partner = address_of(operation->partner);
    if (operation->state == MPILENS_OPERATION_PERSISTENT) {
        __atomic_store_n(&operation->partner, 0, __ATOMIC_RELEASE);
        complete_one(thread, partner, status, error);
        return;
    }
    operation = operation_remove_elsewhere(thread, operation, request);
    if (!operation)
        return;
    operation->partner = 0;
    complete_one(thread, operation, status, error);
    complete_one(thread, partner, status, error);
}
