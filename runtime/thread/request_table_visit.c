/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens a thread's request table for other threads.
 */
#include "thread/thread_internal.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATIENCE = 1000 };

static pthread_mutex_t visit_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Orders earlier stores of other threads before this, and the reverse, without a barrier in those threads. Systems
 * that cannot do that rely on programs keeping to their level. */
static void barrier_in_all_threads(void)
{
    static bool registered; /* under visit_mutex */
    if (!registered)
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    registered = true;
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* It is not in MPI, or does not use its table there. */
static bool is_elsewhere(const struct thread *owner)
{
    return __atomic_load_n(&owner->published.function, __ATOMIC_ACQUIRE) == 0 ||
           __atomic_load_n(&owner->requests.visiting, __ATOMIC_ACQUIRE);
}

/* It is in MPI only for a moment, or waits there. */
static bool leaves_mpi_soon(const struct thread *owner)
{
    threads_note_level_broken();
    for (int i = 0; i < PATIENCE; i++) {
        if (is_elsewhere(owner))
            return true;
        sched_yield();
    }
    return false;
}

/* Makes the owner lock its table from now on, in three steps:
 *   1. `open` and a barrier: from its next access on, the owner sees that it must lock.
 *   2. Wait until it is no longer `busy`, that is, inside an access that began before.
 *   3. Close the quick way, which the owner's inline functions take without looking at `open`, and wait until it is
 *      outside the MPI call in which it may have looked up the old buckets.
 * False: the owner has not come that far in time. The steps stay done, so another visit may succeed. */
static bool open_for_others(struct thread *owner)
{
    struct request_table *table = &owner->requests;
    if (!table->open) {
        __atomic_store_n(&table->open, true, __ATOMIC_RELAXED);
        barrier_in_all_threads();
    }
    for (int i = 0; __atomic_load_n(&table->busy, __ATOMIC_ACQUIRE); i++) {
        if (i == PATIENCE)
            return false;
        sched_yield();
    }
    request_table_lock_open(table);
    bool closed = request_table_close_quick_way(table);
    request_table_unlock(table, true);
    barrier_in_all_threads();
    return closed && (is_elsewhere(owner) || leaves_mpi_soon(owner));
}

bool request_table_visit(struct thread *visitor, struct thread *owner)
{
    struct request_table *table = &owner->requests;
    if (likely(__atomic_load_n(&table->settled, __ATOMIC_ACQUIRE)))
        return true;
    /* While it waits here, the visitor does not use its own table: two threads that visit each other both get in. */
    __atomic_store_n(&visitor->requests.visiting, true, __ATOMIC_RELEASE);
    pthread_mutex_lock(&visit_mutex);
    bool settled = table->settled || open_for_others(owner);
    if (settled)
        __atomic_store_n(&table->settled, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&visit_mutex);
    __atomic_store_n(&visitor->requests.visiting, false, __ATOMIC_RELEASE);
    return settled;
}
