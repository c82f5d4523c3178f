/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The request multimap: linear probing, removal by moving back, growth by doubling.
 */
#include "request_table.h"

#include "memory.h"

#include <sched.h>

enum { INITIAL_CAPACITY = 128, GUARD_HANDLE = 1 };

static size_t slots_bytes(uint64_t capacity)
{
    return (capacity + 1) * sizeof(struct request_slot);
}

static bool table_allocate(struct request_table *table, uint64_t capacity)
{
    struct request_slot *slots = memory_map(slots_bytes(capacity));
    if (!slots)
        return false;
    slots[capacity].handle = GUARD_HANDLE;
    table->slots = slots;
    table->mask = capacity - 1;
    table->shift = 64 - (uint64_t)__builtin_ctzll(capacity);
    table->limit = capacity - capacity / 4;
    table->count = 0;
    return true;
}

bool request_table_create(struct request_table *table)
{
    table->lock = 0;
    return table_allocate(table, INITIAL_CAPACITY);
}

void request_table_destroy(struct request_table *table)
{
    memory_unmap(table->slots, table->slots ? slots_bytes(table->mask + 1) : 0);
    table->slots = NULL;
}

/* The slot of `handle`, or the free one where it belongs. There is always a free one. */
static struct request_slot *slot_of(const struct request_table *table, uint64_t handle)
{
    uint64_t index = request_table_index(table, handle);
    while (table->slots[index].handle != 0 && table->slots[index].handle != handle)
        index = (index + 1) & table->mask;
    return &table->slots[index];
}

static bool table_double(struct request_table *table)
{
    struct request_table old = *table;
    if (!table_allocate(table, (old.mask + 1) * 2)) {
        table->limit = old.mask; /* fill what there is but for one slot */
        return table->count < table->limit;
    }
    for (uint64_t i = 0; i <= old.mask; i++)
        if (old.slots[i].handle != 0) {
            *slot_of(table, old.slots[i].handle) = old.slots[i];
            table->count++;
        }
    request_table_destroy(&old);
    return true;
}

void request_table_insert_slowly(struct request_table *table, uint64_t handle, struct mpilens_operation *operation)
{
    struct request_slot *slot = slot_of(table, handle);
    if (slot->handle == handle) {
        operation->next = slot->last->next;
        slot->last->next = (uint64_t)(uintptr_t)operation;
        slot->last = operation;
        return;
    }
    operation->next = (uint64_t)(uintptr_t)operation;
    if (table->count >= table->limit) {
        if (!table_double(table))
            return; /* its completion will not be seen; it shows as pending */
        slot = slot_of(table, handle);
    }
    slot->handle = handle;
    slot->last = operation;
    table->count++;
}

struct mpilens_operation *request_table_find_slowly(const struct request_table *table, uint64_t handle)
{
    const struct request_slot *slot = slot_of(table, handle);
    return slot->handle == handle ? (struct mpilens_operation *)(uintptr_t)slot->last->next : NULL;
}

/* Frees a slot; slots behind it that were pushed away from their place move up. */
static void slot_free(struct request_table *table, uint64_t hole)
{
    uint64_t index = hole;
    for (;;) {
        index = (index + 1) & table->mask;
        if (table->slots[index].handle == 0)
            break;
        uint64_t home = request_table_index(table, table->slots[index].handle);
        if (((index - home) & table->mask) >= ((index - hole) & table->mask)) {
            table->slots[hole] = table->slots[index];
            hole = index;
        }
    }
    table->slots[hole] = (struct request_slot){0, NULL};
    table->count--;
}

bool request_table_remove_slowly(struct request_table *table, uint64_t handle, struct mpilens_operation *operation)
{
    struct request_slot *slot = slot_of(table, handle);
    if (slot->handle != handle)
        return false;
    struct mpilens_operation *before = slot->last;
    for (;;) {
        struct mpilens_operation *candidate = (struct mpilens_operation *)(uintptr_t)before->next;
        if (candidate == operation)
            break;
        if (candidate == slot->last)
            return false;
        before = candidate;
    }
    if (before == operation)
        slot_free(table, (uint64_t)(slot - table->slots));
    else {
        before->next = operation->next;
        if (slot->last == operation)
            slot->last = before;
    }
    return true;
}

void request_table_lock_slowly(struct request_table *table)
{
    while (__atomic_exchange_n(&table->lock, 1, __ATOMIC_ACQUIRE) != 0)
        while (__atomic_load_n(&table->lock, __ATOMIC_RELAXED) != 0)
            sched_yield();
}

struct mpilens_operation *request_find_anywhere(struct thread *thread, uint64_t handle, uint64_t latest)
{
    struct mpilens_operation *oldest = NULL;
    (void)thread;
    for (struct thread *other = __atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE); other; other = other->next) {
        struct mpilens_operation *operation = request_table_find(&other->requests, handle);
        if (operation && operation->posted_time <= latest && (!oldest || operation->posted_time < oldest->posted_time))
            oldest = operation;
    }
    return oldest;
}

bool request_remove_anywhere(struct thread *thread, uint64_t handle, struct mpilens_operation *operation)
{
    if (request_table_remove(&thread->requests, handle, operation))
        return true;
    for (struct thread *other = __atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE); other; other = other->next)
        if (other != thread && request_table_remove(&other->requests, handle, operation))
            return true;
    return false;
}
