/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a request handle to its operations. One handle may name several live operations (MPI libraries hand out one
 * preallocated request for everything that is complete at once), so a handle's operations form a ring, oldest first.
 * Each thread has a table of what it started; whoever completes a request looks there, or, where the thread did not
 * start it, in those of the others.
 */
#ifndef MPILENS_RUNTIME_REQUEST_TABLE_H
#define MPILENS_RUNTIME_REQUEST_TABLE_H

#include "thread.h"

/* A table of one page. False: no memory. */
bool request_table_create(struct request_table *table);

void request_table_destroy(struct request_table *table);

/* The slow ways of the inline functions below. */
void request_table_insert_slowly(struct request_table *table, uint64_t handle,
                                 struct mpilens_operation *operation) COLD;
bool request_table_remove_slowly(struct request_table *table, uint64_t handle,
                                 struct mpilens_operation *operation) COLD;
struct mpilens_operation *request_table_find_slowly(const struct request_table *table, uint64_t handle) COLD;

/* The oldest operation of `handle` that any thread started no later than `latest` (ticks), or NULL. */
struct mpilens_operation *request_find_anywhere(struct thread *thread, uint64_t handle, uint64_t latest) COLD;

/* Removes `operation` from whichever table holds it. False: none does (another thread has collected it). */
bool request_remove_anywhere(struct thread *thread, uint64_t handle, struct mpilens_operation *operation) COLD;

void request_table_lock_slowly(struct request_table *table) COLD;

INLINE void request_table_lock(struct request_table *table)
{
    if (unlikely(mpilens__multiple))
        request_table_lock_slowly(table);
}

INLINE void request_table_unlock(struct request_table *table)
{
    if (unlikely(mpilens__multiple))
        __atomic_store_n(&table->lock, 0, __ATOMIC_RELEASE);
}

INLINE uint64_t request_table_index(const struct request_table *table, uint64_t handle)
{
    return (handle_bits(handle) * UINT64_C(0x9e3779b97f4a7c15)) >> (table->shift & 63);
}

INLINE void request_table_insert(struct request_table *table, uint64_t handle, struct mpilens_operation *operation)
{
    request_table_lock(table);
    struct request_slot *slot = &table->slots[request_table_index(table, handle)];
    if (likely(slot->handle == 0 && table->count < table->limit)) {
        slot->handle = handle;
        slot->last = operation;
        operation->next = (uint64_t)(uintptr_t)operation;
        table->count++;
    } else
        request_table_insert_slowly(table, handle, operation);
    request_table_unlock(table);
}

/* The oldest operation of `handle`, or NULL. */
INLINE struct mpilens_operation *request_table_find(struct request_table *table, uint64_t handle)
{
    struct mpilens_operation *operation;
    request_table_lock(table);
    const struct request_slot *slot = &table->slots[request_table_index(table, handle)];
    if (likely(slot->handle == handle))
        operation = (struct mpilens_operation *)(uintptr_t)slot->last->next;
    else
        operation = request_table_find_slowly(table, handle);
    request_table_unlock(table);
    return operation;
}

/* Takes `operation` out. False: it is not in this table. */
INLINE bool request_table_remove(struct request_table *table, uint64_t handle, struct mpilens_operation *operation)
{
    bool removed = true;
    request_table_lock(table);
    struct request_slot *slot = &table->slots[request_table_index(table, handle)];
    if (likely(slot->last == operation && operation->next == (uint64_t)(uintptr_t)operation && slot[1].handle == 0 &&
               slot->handle == handle)) {
        slot->handle = 0;
        slot->last = NULL;
        table->count--;
    } else
        removed = request_table_remove_slowly(table, handle, operation);
    request_table_unlock(table);
    return removed;
}

#endif
