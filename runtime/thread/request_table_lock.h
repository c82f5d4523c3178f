/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock of a request table, and the quick way past it. A thread uses its own table without a lock until the table is
 * open for other threads; from then on everybody locks.
 */
#ifndef MPILENS_RUNTIME_THREAD_REQUEST_TABLE_LOCK_H
#define MPILENS_RUNTIME_THREAD_REQUEST_TABLE_LOCK_H

#include "thread/thread.h"

/* Several threads may be in MPI at a time from now on, or not. While no other thread uses the table. */
void request_table_set_shared(struct request_table *table, bool shared);

/* `table` has got other buckets. By its thread, which has locked it. */
void request_table_set_own(struct request_table *table);

/* The quick way of an open table leads nowhere from now on, whatever its thread is doing. By whoever has locked it.
 * False: no memory. */
bool request_table_close_quick_way(struct request_table *table);

/* Waits until nobody else has locked it. */
void request_table_lock_open(struct request_table *table) COLD;

/* By the table's thread, or after request_table_visit. Returns what request_table_unlock needs: whether it is locked.
 */
INLINE bool request_table_lock(struct request_table *table)
{
    if (likely(!__atomic_load_n(&table->open, __ATOMIC_RELAXED))) {
        __atomic_store_n(&table->busy, true, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST); /* request_table_visit has the other half of the barrier */
        if (likely(!__atomic_load_n(&table->open, __ATOMIC_RELAXED)))
            return false;
        __atomic_store_n(&table->busy, false, __ATOMIC_RELEASE);
    }
    request_table_lock_open(table);
    return true;
}

INLINE void request_table_unlock(struct request_table *table, bool locked)
{
    if (locked)
        __atomic_store_n(&table->lock, 0, __ATOMIC_RELEASE);
    else
        __atomic_store_n(&table->busy, false, __ATOMIC_RELEASE);
}

#endif
