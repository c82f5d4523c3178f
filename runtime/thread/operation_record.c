/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slow paths of operation records: refill a thread's free list, return records to their owner, give surplus back.
 */

#include "memory/memory.h"
#include "process/process.h"
#include "thread/thread_internal.h"

#include <stdlib.h>

enum {
    BATCH = 32,          /* records taken from the table at a time */
    SURPLUS_KEPT = 1024, /* free records that a thread keeps when it gives back */
};

static uint64_t recorder_slots = RECORDER_SLOTS;

void recorder_read_capacity(void)
{
    const char *text = getenv("MPILENS_HISTORY");
    char *end = NULL;
    const uint64_t capacity = text != NULL ? strtoull(text, &end, 10) : 0;
    const bool is_taken = text != NULL && *end == '\0' && capacity >= RECORDER_CAPACITY &&
                          capacity <= MOST_RECORDER_CAPACITY && (capacity & (capacity - 1)) == 0;
    mpilens_process.recorder_capacity = is_taken ? (uint32_t)capacity : RECORDER_CAPACITY;
    recorder_slots = UINT64_C(2) * mpilens_process.recorder_capacity;
}

size_t recorder_thread_bytes(void)
{
    const size_t unit = _Alignof(struct thread);
    const size_t more = (recorder_slots - RECORDER_SLOTS) * sizeof(struct mpilens_operation *);
    return sizeof(struct thread) + (more + unit - 1) / unit * unit;
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
        __atomic_store_n(&operation->thread, thread->published.index, __ATOMIC_RELAXED);
        operation->second = 0;
        operation_set_free(thread, operation);
    }
    thread->operations_held += taken;
    request_owners_expect((int64_t)taken);
    return taken;
}

bool operations_prepare(struct thread *thread)
{
    thread->recorder_mask = recorder_slots - 1;
    for (uint64_t i = 0; i < recorder_slots; i++) {
        if (thread->free_operations == NULL && take_batch(thread) == 0)
            return false;
        thread->recorder[i] = operation_take(thread);
    }
    return true;
}

/* Puts what others have completed in the recorder, in the order of completion: the list has the youngest first. Others
 * only push, and the owner takes the whole list at once, so no lock is needed and there is no ABA problem. */
static void take_back_returned(struct thread *thread)
{
    struct mpilens_operation *youngest = __atomic_exchange_n(&thread->returned, NULL, __ATOMIC_ACQUIRE);
    struct mpilens_operation *oldest = NULL;
    while (youngest != NULL) {
        struct mpilens_operation *next = operation_at(youngest->next);
        youngest->next = (uint64_t)(uintptr_t)oldest;
        oldest = youngest;
        youngest = next;
    }
    while (oldest != NULL) {
        struct mpilens_operation *next = operation_at(oldest->next);
        uint64_t place = thread->published.completions++ & thread->recorder_mask;
        struct mpilens_operation *free_operation = thread->recorder[place];
        thread->recorder[place] = oldest;
        operation_set_free(thread, free_operation);
        oldest = next;
    }
}

bool operation_take_slowly(struct thread *thread)
{
    if (__atomic_load_n(&thread->returned, __ATOMIC_RELAXED) != NULL)
        take_back_returned(thread);
    if (thread->free_operations != NULL || take_batch(thread) > 0)
        return true;
    thread->published.untracked++;
    return false;
}

/* Back to its owner, in this state: pushed onto the owner's list `returned` without a lock. The owner may have ended;
 * its record stays, and so does the list. */
static void give_to_owner(struct mpilens_operation *operation, enum mpilens_operation_state state)
{
    struct thread *owner = thread_at(operation->thread);
    if (owner == NULL)
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

void operation_return_abandoned(struct mpilens_operation *operation)
{
    give_to_owner(operation, MPILENS_OPERATION_ABANDONED);
}

/* The chain that begins with `operation` goes back to the table. */
static void give_back(struct thread *thread, struct mpilens_operation *operation)
{
    while (operation != NULL) {
        void *records[BATCH];
        size_t count = 0;
        for (; operation != NULL && count < BATCH; operation = operation_at(operation->next))
            records[count++] = operation;
        table_give_back(MPILENS_TABLE_OPERATIONS, records, count);
        thread->operations_held -= count;
        request_owners_expect(-(int64_t)count);
    }
}

void operations_unprepare(struct thread *thread)
{
    for (uint64_t i = 0; i < recorder_slots && thread->recorder[i] != NULL; i++) {
        operation_set_free(thread, thread->recorder[i]);
        thread->recorder[i] = NULL;
    }
    struct mpilens_operation *all = thread->free_operations; /* the recorder's are among them now */
    thread->free_operations = NULL;
    give_back(thread, all);
}

/* After a burst most records of the thread lie in its free list; all but some go back to the table. */
static void give_back_surplus(struct thread *thread)
{
    struct mpilens_operation *last_kept = thread->free_operations;
    for (int i = 1; i < SURPLUS_KEPT && last_kept != NULL; i++)
        last_kept = operation_at(last_kept->next);
    if (last_kept == NULL)
        return;
    struct mpilens_operation *surplus = operation_at(last_kept->next);
    last_kept->next = 0;
    give_back(thread, surplus);
}

void operations_maintain(struct thread *thread)
{
    process_note_clock();
    if (__atomic_load_n(&thread->returned, __ATOMIC_RELAXED) != NULL)
        take_back_returned(thread);
    /* An estimate: records that others completed and did not give back yet count as live. */
    uint64_t started = thread->published.operations - ((uint64_t)thread->published.index << 40);
    uint64_t live = started > thread->published.completions ? started - thread->published.completions : 0;
    if (thread->operations_held > live + recorder_slots + UINT64_C(4) * SURPLUS_KEPT)
        give_back_surplus(thread);
}

bool operation_begin_inner(struct thread *thread, uint64_t outer)
{
    struct mpilens_operation *operation = operation_at(outer);
    if (operation == NULL || !operation_is_borrowed(thread, operation))
        return false;
    if (thread->free_operations == NULL && !operation_take_slowly(thread))
        return false; /* the inner call shows in the place of the outer one */
    thread->recorder[thread->published.completions & thread->recorder_mask] = operation_take(thread);
    return true;
}

void operation_end_inner(struct thread *thread, uint64_t outer)
{
    struct mpilens_operation **place = &thread->recorder[thread->published.completions & thread->recorder_mask];
    operation_set_free(thread, *place);
    *place = operation_at(outer);
}
