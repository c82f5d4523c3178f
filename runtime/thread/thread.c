/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes and ends the records of threads, and notes when several threads are in MPI at a time.
 */

#include "memory/memory.h"
#include "mpi/mpi_traits.h"
#include "thread/thread_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREAD_SERIALIZED = 2 /* as in mpilens_process.thread_level */ };

struct thread mpilens__other_way = {.published.function = UINT32_MAX};

__thread struct thread *mpilens__thread = &mpilens__other_way;
__thread struct thread *mpilens__own_thread;
__thread bool mpilens__by_pmpi;
struct thread *mpilens__threads;

static bool several_at_a_time; /* threads may be in MPI */
static bool level_is_broken;   /* and they are, whatever the program has promised */
static pthread_mutex_t threads_mutex = PTHREAD_MUTEX_INITIALIZER;

void threads_set_multiple(bool multiple)
{
    pthread_mutex_lock(&threads_mutex);
    several_at_a_time = multiple || level_is_broken;
    if (multiple)
        request_owners_keep();
    for (struct thread *thread = mpilens__threads; thread != NULL; thread = thread->next)
        if (!level_is_broken)
            request_table_set_shared(&thread->requests, multiple);
    pthread_mutex_unlock(&threads_mutex);
}

/* Tables stay as they are: other threads open them when they come. */
static void set_level_broken(void)
{
    level_is_broken = several_at_a_time = true;
    for (struct thread *thread = mpilens__threads; thread != NULL; thread = thread->next)
        __atomic_store_n(&thread->requests.shared, true, __ATOMIC_RELAXED);
}

void threads_note_level_broken(void)
{
    pthread_mutex_lock(&threads_mutex);
    if (!several_at_a_time)
        set_level_broken();
    pthread_mutex_unlock(&threads_mutex);
}

/* Whether a new thread may not call MPI: because another thread is in it, or because only one may call it at all. */
static bool newcomer_breaks_level(void)
{
    if (several_at_a_time || __atomic_load_n(&mpilens_process.state, __ATOMIC_RELAXED) != MPILENS_PROCESS_RUNNING)
        return false;
    for (const struct thread *thread = mpilens__threads; thread != NULL; thread = thread->next)
        if (__atomic_load_n(&thread->published.state, __ATOMIC_RELAXED) == MPILENS_THREAD_ALIVE &&
            (mpilens_process.thread_level < THREAD_SERIALIZED ||
             __atomic_load_n(&thread->published.function, __ATOMIC_RELAXED) != 0))
            return true;
    return false;
}

/* A thread whose predecessor has ended takes over its record, its operations and its counts. */
static struct thread *adopt_ended_thread(void)
{
    for (struct thread *thread = mpilens__threads; thread != NULL; thread = thread->next)
        if (__atomic_load_n(&thread->published.state, __ATOMIC_ACQUIRE) == MPILENS_THREAD_ENDED)
            return thread;
    return NULL;
}

static void clear_caches(struct thread *thread)
{
    handle_cache_clear(thread->communicator_cache, COMMUNICATOR_CACHE_ENTRIES);
    handle_cache_clear(thread->datatype_cache, DATATYPE_CACHE_ENTRIES);
    handle_cache_clear(thread->window_cache, WINDOW_CACHE_ENTRIES);
}

static struct thread *make_thread(void)
{
    struct thread *thread = table_take_one(MPILENS_TABLE_THREADS);
    if (thread == NULL)
        return NULL;
    if (mpilens__threads != NULL)
        kernel_tick_leave();
    thread->published.index = mpilens__threads != NULL ? mpilens__threads->published.index + 1 : 0;
    thread->published.operations = (uint64_t)thread->published.index << 40;
    if (!request_table_create(&thread->requests, several_at_a_time) || !operations_prepare(thread) ||
        !thread_index_add(thread)) {
        operations_unprepare(thread);
        request_table_destroy(&thread->requests);
        table_give_back_untracked(MPILENS_TABLE_THREADS, thread);
        return NULL;
    }
    clear_caches(thread);
    thread->newest_poll = thread->poll_slots[0].follower = &thread->poll_slots[0];
    thread->next = mpilens__threads;
    __atomic_store_n(&mpilens__threads, thread, __ATOMIC_RELEASE);
    return thread;
}

struct thread *thread_take_record(void)
{
    pthread_mutex_lock(&threads_mutex);
    if (newcomer_breaks_level())
        set_level_broken();
    struct thread *thread = adopt_ended_thread();
    if (thread == NULL)
        thread = make_thread();
    if (thread != NULL) {
        thread->published.tid = (uint32_t)syscall(SYS_gettid);
        thread->outer = NULL; /* the predecessor may have ended inside a call */
        __atomic_store_n(&thread->published.state, MPILENS_THREAD_ALIVE, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&threads_mutex);
    return thread;
}

struct thread *thread_if_known(void)
{
    return mpilens__own_thread;
}

bool thread_is_from_fortran(void)
{
    return mpilens__own_thread != NULL && mpilens__own_thread->from_fortran;
}

bool thread_is_past_tools(void)
{
    return mpilens__own_thread != NULL && mpilens__own_thread->by_pmpi;
}
