/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who may come to a request table. Its own thread uses it without a lock until another thread comes. That one opens it:
 * the quick way in leads nowhere from then on, and everything locks. What the thread itself has begun without a lock is
 * over when it is neither in a call nor in one of the slow functions; before that, nobody else may come. Below
 * MPI_THREAD_MULTIPLE a program that keeps to its level never finds the other thread in a call.
 */
#ifndef MPILENS_RUNTIME_THREAD_REQUEST_TABLE_VISIT_H
#define MPILENS_RUNTIME_THREAD_REQUEST_TABLE_VISIT_H

#include "thread/thread.h"

/* Several threads may be in MPI at a time from now on, or not. While no other thread uses the table. */
void request_table_set_shared(struct request_table *table, bool shared);

/* `table` has got other buckets. By its thread, which has locked it. */
void request_table_set_own(struct request_table *table);

/* Whether `visitor`, the calling thread, may lock the table of another thread, `owner`. False: that one is in MPI
 * although it may not be, or there is no memory. */
bool request_table_visit(struct thread *visitor, struct thread *owner);

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
