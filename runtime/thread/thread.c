/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads: how they become known, how they end, and whose call an inner call is.
 */
#include "thread/thread.h"

#include "loader/caller.h"
#include "loader/resolve.h"
#include "memory/memory.h"
#include "memory/root.h"
#include "memory/table.h"
#include "operations/collective.h"
#include "operations/operation.h"
#include "process/process.h"
#include "thread/request_owner.h"
#include "thread/request_table.h"
#include "thread/request_table_visit.h"
#include "thread/thread_index.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREAD_SERIALIZED = 2 /* as in mpilens_process.thread_level */, CALLS_WITHOUT_MEMORY = 64 };

struct thread mpilens__other_way = {.published.function = UINT32_MAX};

__thread struct thread *mpilens__thread = &mpilens__other_way;
__thread bool mpilens__by_pmpi;
struct thread *mpilens__threads;

static __thread struct thread *own_thread; /* NULL: not known */
static __thread uint32_t calls_to_pass;    /* before this thread, for which there was no memory, asks for some again */

static bool several_at_a_time; /* threads may be in MPI */
static bool level_is_broken;   /* and they are, whatever the program has promised */
static pthread_mutex_t threads_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t first_call = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;
static bool out_of_service; /* nothing can be tracked: out of memory at the start, or a forked child */

/* A child shares nothing that is valid; it must not use MPI, but if it does, it is not tracked. */
static void forget_in_child(void)
{
    out_of_service = true;
    mpilens__thread = &mpilens__other_way;
    own_thread = NULL;
}

/* Back to the call that `outer` was. */
static void leave_inner(struct thread *thread, struct outer_call *outer);

/* A call that an error handler has jumped out of is over; what it was doing is given up. The stack grows downwards:
 * such a call's wrapper lies below the one that is being entered. */
static void drop_left_calls(struct thread *thread, uint64_t frame)
{
    while (thread->published.function != 0 && frame >= thread->published.frame) {
        collective_abandon(thread);
        operation_abandon_current(thread);
        if (thread->outer)
            leave_inner(thread, thread->outer);
        else
            call_end(thread);
    }
}

static void thread_end(void *argument)
{
    struct thread *thread = argument;
    mpilens__thread = &mpilens__other_way;
    own_thread = NULL;
    drop_left_calls(thread, UINT64_MAX);
    __atomic_store_n(&thread->published.state, MPILENS_THREAD_ENDED, __ATOMIC_RELEASE);
}

void threads_set_multiple(bool multiple)
{
    pthread_mutex_lock(&threads_mutex);
    several_at_a_time = multiple || level_is_broken;
    if (multiple)
        request_owners_keep();
    for (struct thread *thread = mpilens__threads; thread; thread = thread->next)
        if (!level_is_broken)
            request_table_set_shared(&thread->requests, multiple);
    pthread_mutex_unlock(&threads_mutex);
}

/* Tables stay as they are: other threads open them when they come. */
static void set_level_broken(void)
{
    level_is_broken = several_at_a_time = true;
    for (struct thread *thread = mpilens__threads; thread; thread = thread->next)
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
    for (const struct thread *thread = mpilens__threads; thread; thread = thread->next)
        if (__atomic_load_n(&thread->published.state, __ATOMIC_RELAXED) == MPILENS_THREAD_ALIVE &&
            (mpilens_process.thread_level < THREAD_SERIALIZED ||
             __atomic_load_n(&thread->published.function, __ATOMIC_RELAXED) != 0))
            return true;
    return false;
}

static void begin_process(void)
{
    table_set_record_bytes(MPILENS_TABLE_THREADS, sizeof(struct thread));
    process_first_call();
    if (pthread_key_create(&thread_key, thread_end) != 0)
        out_of_service = true;
    pthread_atfork(NULL, NULL, forget_in_child);
}

/* A thread whose predecessor has ended takes over its record, its operations and its counts. */
static struct thread *adopt_ended_thread(void)
{
    for (struct thread *thread = mpilens__threads; thread; thread = thread->next)
        if (__atomic_load_n(&thread->published.state, __ATOMIC_ACQUIRE) == MPILENS_THREAD_ENDED)
            return thread;
    return NULL;
}

static struct thread *make_thread(void)
{
    struct thread *thread = table_take_one(MPILENS_TABLE_THREADS);
    if (!thread)
        return NULL;
    thread->published.index = mpilens__threads ? mpilens__threads->published.index + 1 : 0;
    thread->published.operations = (uint64_t)thread->published.index << 40;
    if (!request_table_create(&thread->requests, several_at_a_time) || !operations_prepare(thread) ||
        !thread_index_add(thread)) {
        operations_unprepare(thread);
        request_table_destroy(&thread->requests);
        table_give_back_untracked(MPILENS_TABLE_THREADS, thread);
        return NULL;
    }
    caches_prepare(thread);
    thread->newest_poll = thread->poll_slots[0].follower = &thread->poll_slots[0];
    thread->next = mpilens__threads;
    __atomic_store_n(&mpilens__threads, thread, __ATOMIC_RELEASE);
    return thread;
}

static struct thread *begin_thread(const void *caller)
{
    if (!resolve_functions(caller))
        return NULL;
    pthread_once(&first_call, begin_process);
    if (out_of_service || (calls_to_pass > 0 && calls_to_pass-- > 0))
        return NULL;
    pthread_mutex_lock(&threads_mutex);
    if (newcomer_breaks_level())
        set_level_broken();
    struct thread *thread = adopt_ended_thread();
    if (!thread)
        thread = make_thread();
    if (thread) {
        thread->published.tid = (uint32_t)syscall(SYS_gettid);
        thread->outer = NULL; /* the predecessor may have ended inside a call */
        __atomic_store_n(&thread->published.state, MPILENS_THREAD_ALIVE, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&threads_mutex);
    if (!thread) {
        calls_to_pass = CALLS_WITHOUT_MEMORY;
        return NULL;
    }
    pthread_setspecific(thread_key, thread);
    own_thread = thread;
    return thread;
}

static struct outer_call *take_outer(struct thread *thread)
{
    struct outer_call *outer = thread->unused_outers;
    if (!outer)
        return memory_map(sizeof *outer);
    thread->unused_outers = outer->outer;
    return outer;
}

/* Sets the thread up for a call inside its current one. NULL: no memory. */
static struct outer_call *interrupt(struct thread *thread)
{
    struct outer_call *outer = take_outer(thread);
    if (!outer)
        return NULL;
    outer->call = thread->published;
    outer->outer = thread->outer;
    outer->scratch = thread->scratch;
    outer->by_pmpi = thread->by_pmpi;
    outer->from_fortran = thread->from_fortran;
    thread->scratch = (struct scratch){.handles = NULL};
    outer->borrowed = operation_begin_inner(thread, thread->published.operation);
    thread->outer = outer;
    call_end(thread);
    thread->published.operation_2 = 0;
    thread->published.request_count = 0;
    return outer;
}

/* Whether a call inside another one is not the application's. Another tool behind this one passes on what it is given,
 * perhaps as another function, and may communicate on its own behalf. */
static bool is_internal(const void *caller)
{
    enum caller_class class = caller_classify(caller);
    return class == CALLER_MPI_LIBRARY || class == CALLER_TOOL;
}

struct thread *thread_enter_slowly(struct slow_way *way)
{
    struct thread *thread = own_thread;
    bool by_pmpi = mpilens__by_pmpi;
    mpilens__by_pmpi = false;
    if (!thread)
        thread = begin_thread(way->caller);
    if (!thread)
        return NULL;
    if (mpilens__thread != thread) {
        mpilens__thread = thread;
        way->statement = fortran_take(way->caller, way->frame);
    }
    drop_left_calls(thread, way->frame);
    if (thread->published.function != 0) {
        if (is_internal(way->caller))
            return NULL;
        way->outer = interrupt(thread);
        if (!way->outer)
            return NULL;
    }
    thread->by_pmpi = by_pmpi;
    thread->from_fortran = way->statement.site != NULL;
    if (way->statement.site)
        way->caller = way->statement.site;
    return thread;
}

void thread_leave(struct thread *thread, struct slow_way *way)
{
    thread->by_pmpi = false;
    thread->from_fortran = false;
    if (way->outer)
        leave_inner(thread, way->outer);
    if (way->statement.site) {
        fortran_put_back(way->statement);
        mpilens__thread = &mpilens__other_way;
    }
}

struct thread *thread_if_known(void)
{
    return own_thread;
}

bool thread_is_from_fortran(void)
{
    return own_thread && own_thread->from_fortran;
}

bool thread_is_past_tools(void)
{
    return own_thread && own_thread->by_pmpi;
}

static void leave_inner(struct thread *thread, struct outer_call *outer)
{
    thread->by_pmpi = outer->by_pmpi;
    thread->from_fortran = outer->from_fortran;
    thread->outer = outer->outer;
    outer->outer = thread->unused_outers;
    thread->unused_outers = outer;
    if (outer->borrowed)
        operation_end_inner(thread, outer->call.operation);
    memory_unmap(thread->scratch.handles, thread->scratch.handles_bytes);
    memory_unmap(thread->scratch.statuses, thread->scratch.statuses_bytes);
    thread->scratch = outer->scratch;
    thread->scratch.handles_of = NULL; /* inner polls may have been noted in its place, */
    thread->polls_to_note = 1;         /* and have counted down for themselves */
    thread->published.site = outer->call.site;
    thread->published.entered = outer->call.entered;
    thread->published.operation = outer->call.operation;
    thread->published.operation_2 = outer->call.operation_2;
    thread->published.communicator = outer->call.communicator;
    thread->published.requests = outer->call.requests;
    thread->published.request_count = outer->call.request_count;
    thread->published.peer = outer->call.peer;
    thread->published.tag = outer->call.tag;
    thread->published.object = outer->call.object;
    thread->published.frame = outer->call.frame;
    PUBLISH_BARRIER();
    __atomic_store_n(&thread->published.function, outer->call.function, __ATOMIC_RELEASE);
}
