/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slow paths of request tables: make, grow, append to a chain, remove stale entries.
 */

#include "memory/memory.h"
#include "thread/thread_internal.h"

#include <string.h>

enum { INITIAL_CAPACITY = 1024 };

struct mpilens_operation mpilens__no_operation = {.request = UINT64_MAX};

static struct mpilens_operation *next_of(const struct mpilens_operation *operation)
{
    return (struct mpilens_operation *)(uintptr_t)operation->next;
}

static bool table_allocate(struct request_table *table, uint64_t capacity)
{
    struct mpilens_operation **buckets = memory_map(capacity * sizeof *buckets);
    if (buckets == NULL)
        return false;
    for (uint64_t i = 0; i < capacity; i++)
        buckets[i] = &mpilens__no_operation;
    table->buckets = buckets;
    table->mask = capacity - 1;
    request_table_set_own(table);
    return true;
}

bool request_table_create(struct request_table *table, bool shared)
{
    *table = (struct request_table){.shared = shared, .open = shared, .settled = shared};
    return table_allocate(table, INITIAL_CAPACITY);
}

void request_table_destroy(struct request_table *table)
{
    memory_unmap(table->buckets, table->buckets != NULL ? (table->mask + 1) * sizeof *table->buckets : 0);
    table->open = true;
    request_table_set_own(table);
    *table = (struct request_table){.own_buckets = table->own_buckets};
}

static struct mpilens_operation **bucket_of(const struct request_table *table, uint64_t handle)
{
    return &table->buckets[request_bits(handle) & table->mask];
}

/* The first of many knows the last, in the place of its actual_source and actual_tag. */
static void set_last(struct mpilens_operation *first, struct mpilens_operation *last)
{
    uint64_t address = (uint64_t)(uintptr_t)last;
    memcpy((char *)first + offsetof(struct mpilens_operation, actual_source), &address, sizeof address);
}

static struct mpilens_operation *known_last(const struct mpilens_operation *first)
{
    uint64_t address;
    memcpy(&address, (const char *)first + offsetof(struct mpilens_operation, actual_source), sizeof address);
    return (struct mpilens_operation *)(uintptr_t)address;
}

static_assert(offsetof(struct mpilens_operation, actual_tag) ==
                  offsetof(struct mpilens_operation, actual_source) + sizeof(int32_t),
              "actual_source and actual_tag hold an address");

/* The last operation of the handle of which `first` is the oldest. */
static struct mpilens_operation *last_of(struct mpilens_operation *first)
{
    struct mpilens_operation *last = first;
    if (next_of(first)->request == first->request && request_is_complete_by_nature(first->request))
        return known_last(first);
    while (next_of(last)->request == first->request) /* few: threads that get a handle before others let go of it */
        last = next_of(last);
    return last;
}

static bool table_grow(struct request_table *table, uint64_t capacity)
{
    struct mpilens_operation **old = table->buckets;
    uint64_t old_capacity = table->mask + 1;
    if (!table_allocate(table, capacity))
        return false;
    for (uint64_t i = 0; i < old_capacity; i++)
        for (struct mpilens_operation *first = old[i], *next; first != &mpilens__no_operation; first = next) {
            struct mpilens_operation *last = last_of(first);
            struct mpilens_operation **bucket = bucket_of(table, first->request);
            next = next_of(last);
            last->next = (uint64_t)(uintptr_t)*bucket;
            *bucket = first;
        }
    memory_unmap(old, old_capacity * sizeof *old);
    return true;
}

bool request_table_reserve(struct request_table *table, uint64_t operations)
{
    bool locked = request_table_lock(table);
    uint64_t capacity = table->mask + 1;
    while (capacity < operations)
        capacity *= 2;
    bool room = capacity == table->mask + 1 || table_grow(table, capacity);
    request_table_unlock(table, locked);
    return room;
}

/* The oldest operation of `handle`, or mpilens__no_operation, and what stands before it in the chain (NULL: the
 * bucket). */
static struct mpilens_operation *oldest_of(const struct request_table *table, uint64_t handle,
                                           struct mpilens_operation **ret_before)
{
    struct mpilens_operation *first = *bucket_of(table, handle);
    *ret_before = NULL;
    while (first != &mpilens__no_operation && first->request != handle) {
        *ret_before = last_of(first);
        first = next_of(*ret_before);
    }
    return first;
}

static void set_link(struct request_table *table, uint64_t handle, struct mpilens_operation *before, uint64_t next)
{
    if (before != NULL)
        before->next = next;
    else
        *bucket_of(table, handle) = (struct mpilens_operation *)(uintptr_t)next;
}

/* Removes stale operations of a handle that names one request at a time and now names a new one: they are over, though
 * no call said so (an error handler jumped out of it, or it was not seen). */
static struct mpilens_operation *remove_stale(struct request_table *table, uint64_t handle,
                                              struct mpilens_operation *first, struct mpilens_operation *before)
{
    struct mpilens_operation *last = last_of(first);
    set_link(table, handle, before, last->next);
    last->next = 0;
    return first;
}

struct mpilens_operation *request_table_insert_slowly(struct request_table *table, uint64_t handle,
                                                      struct mpilens_operation *operation)
{
    struct mpilens_operation *before;
    bool locked = request_table_lock(table);
    struct mpilens_operation *first = oldest_of(table, handle, &before);
    struct mpilens_operation *stale = NULL;
    if (table->shared && !request_is_complete_by_nature(handle))
        request_owner_note(handle, operation->thread);
    if (first != &mpilens__no_operation && !table->shared && !request_is_complete_by_nature(handle)) {
        stale = remove_stale(table, handle, first, before);
        first = &mpilens__no_operation;
    }
    if (first == &mpilens__no_operation) {
        operation->next = (uint64_t)(uintptr_t)*bucket_of(table, handle);
        *bucket_of(table, handle) = operation;
    } else {
        struct mpilens_operation *last = last_of(first);
        operation->next = last->next;
        last->next = (uint64_t)(uintptr_t)operation;
        if (request_is_complete_by_nature(handle))
            set_last(first, operation);
        first->flags |= MPILENS_OPERATION_SHARES_REQUEST;
        operation->flags |= MPILENS_OPERATION_SHARES_REQUEST;
    }
    request_table_unlock(table, locked);
    return stale;
}

bool request_table_append_own(struct request_table *table, uint64_t handle, struct mpilens_operation *operation)
{
    struct mpilens_operation *first = *request_table_own_bucket(table, handle);
    if (first->request != handle)
        return false;
    struct mpilens_operation *last = next_of(first)->request == handle ? known_last(first) : first;
    operation->next = last->next;
    last->next = (uint64_t)(uintptr_t)operation;
    set_last(first, operation);
    first->flags |= MPILENS_OPERATION_SHARES_REQUEST;
    operation->flags |= MPILENS_OPERATION_SHARES_REQUEST;
    return true;
}

bool request_table_remove_oldest_own(struct request_table *table, uint64_t handle,
                                     const struct mpilens_operation *operation)
{
    struct mpilens_operation **bucket = request_table_own_bucket(table, handle);
    if (*bucket != operation)
        return false;
    struct mpilens_operation *next = next_of(operation);
    if (next->request == handle && known_last(operation) != next)
        set_last(next, known_last(operation));
    *bucket = next;
    return true;
}

struct mpilens_operation *request_table_find_slowly(struct request_table *table, uint64_t handle, uint64_t latest,
                                                    uint64_t *ret_posted_time)
{
    struct mpilens_operation *before;
    struct mpilens_operation *found = NULL;
    bool locked = request_table_lock(table);
    struct mpilens_operation *operation = oldest_of(table, handle, &before);
    for (; operation->request == handle && operation->posted_time <= latest; operation = next_of(operation)) {
        found = operation;
        if (request_is_complete_by_nature(handle))
            break;
    }
    if (found != NULL && ret_posted_time != NULL)
        *ret_posted_time = found->posted_time;
    request_table_unlock(table, locked);
    return found;
}

static bool remove_locked(struct request_table *table, uint64_t handle, const struct mpilens_operation *operation)
{
    struct mpilens_operation *before;
    struct mpilens_operation *first = oldest_of(table, handle, &before);
    if (first == &mpilens__no_operation)
        return false;
    struct mpilens_operation *last = last_of(first);
    if (first == operation) {
        if (last != first && next_of(first) != last && request_is_complete_by_nature(handle))
            set_last(next_of(first), last);
        set_link(table, handle, before, first->next);
        return true;
    }
    struct mpilens_operation *candidate = first;
    while (candidate != last && next_of(candidate) != operation)
        candidate = next_of(candidate);
    if (candidate == last)
        return false;
    candidate->next = operation->next;
    if (operation == last && candidate != first && request_is_complete_by_nature(handle))
        set_last(first, candidate);
    return true;
}

bool request_table_remove_slowly(struct request_table *table, uint64_t handle, struct mpilens_operation *operation)
{
    bool locked = request_table_lock(table);
    bool removed = remove_locked(table, handle, operation);
    request_table_unlock(table, locked);
    return removed;
}

static bool is_started(const struct mpilens_operation *operation)
{
    return operation->state != MPILENS_OPERATION_PERSISTENT && operation->state != MPILENS_OPERATION_RELEASED;
}

struct mpilens_operation *request_table_take_slowly(struct request_table *table, uint64_t handle)
{
    struct mpilens_operation *before;
    bool locked = request_table_lock(table);
    struct mpilens_operation *operation = oldest_of(table, handle, &before);
    while (operation->request == handle && !is_started(operation))
        operation = next_of(operation);
    bool found = operation->request == handle && remove_locked(table, handle, operation);
    request_table_unlock(table, locked);
    return found ? operation : NULL;
}
