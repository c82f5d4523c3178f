/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of thread/ only.
 */
#ifndef MPILENS_RUNTIME_THREAD_THREAD_INTERNAL_H
#define MPILENS_RUNTIME_THREAD_THREAD_INTERNAL_H

#include "thread/thread.h"

/* -- request_owner.c -- The thread that started a request, while several threads are in MPI at a time: a thread that
 * completes another thread's request looks into that one's request table first. Only hints, kept without a lock: the
 * request table decides, and a request without a hint is looked for in all tables.
 *
 * A thread writes the hint before it gives the request away, so a reused handle always has the hint of its newest
 * request. Not for requests that are complete by nature: all threads would write the same hint.
 */

/* Hints are kept from now on, if there is memory: several threads may be in MPI at a time. */
void request_owners_keep(void);

/* There are `more` records for operations now, or fewer, where negative. Room for hints grows with them. */
void request_owners_expect(int64_t more);

/* The thread with this index has started `request`. */
void request_owner_note(uint64_t request, uint32_t index);

/* The thread that has started `request`, probably; NULL: not known. */
struct thread *request_owner(uint64_t request);

/* -- request_table_lock.c --
 * The lock of a request table, and the quick way past it. A thread uses its own table without a lock until the table is
 * open for other threads; from then on everybody locks.
 */

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

/* -- request_table_visit.c -- Access to a request table. Its own thread uses it without a lock until another thread
 * comes and opens it: from then on the quick way in leads nowhere, and everything locks. Other threads wait until the
 * owner is neither in a call nor in one of the slow functions, as it may have begun something without a lock. Below
 * MPI_THREAD_MULTIPLE a program that keeps to its level never finds the other thread in a call.
 */

/* Whether `visitor`, the calling thread, may lock the table of another thread, `owner`. False: that one is in MPI
 * although it may not be, or there is no memory. */
bool request_table_visit(struct thread *visitor, struct thread *owner);

/* -- thread_index.c --
 * From the index of a thread to the thread, however many there are.
 */

/* Adds `thread`, whose index follows the index of the thread added before it. One caller at a time. False: no
 * memory. */
bool thread_index_add(struct thread *thread);

/* The thread with this index, or NULL: none has been added. */
struct thread *thread_at(uint32_t index);

#endif
