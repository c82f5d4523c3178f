/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a request handle to its operations. Each thread has a table of what it started; whoever completes a request
 * looks there, or, where the thread did not start it, in those of the others: first where request_owner.h says. One
 * handle may name several live operations: MPI libraries hand out one preallocated request for everything that is
 * complete at once. The oldest of them is taken for the one that is meant: the operations of one handle stand together
 * in a chain, oldest first, and the first of many knows the last.
 *
 * A table has as many buckets as its thread holds operation records: chains stay short, and inserting never fails.
 */
#ifndef MPILENS_RUNTIME_THREAD_REQUEST_TABLE_H
#define MPILENS_RUNTIME_THREAD_REQUEST_TABLE_H

#include "thread/thread.h"

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

/* Of an operation that does not share its request. False: not so easily. */
INLINE bool request_table_remove_own(struct request_table *table, uint64_t handle,
                                     const struct mpilens_operation *operation)
{
    struct mpilens_operation **bucket = request_table_own_bucket(table, handle);
    if (unlikely(*bucket != operation))
        return false;
    *bucket = (struct mpilens_operation *)(uintptr_t)operation->next;
    return true;
}

#endif
