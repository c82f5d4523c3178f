/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers threads at their first call and when they end, and decides who made a call inside a call.
 */
#include "api/api_internal.h"

#include "loader/loader.h"
#include "memory/memory.h"
#include "operations/operations.h"
#include "process/process.h"
#include "thread/thread.h"

#include <pthread.h>

enum { CALLS_WITHOUT_MEMORY = 64 };

static __thread uint32_t calls_to_pass; /* before this thread, for which there was no memory, asks for some again */

static pthread_once_t first_call = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;
static bool out_of_service; /* nothing can be tracked: out of memory at the start, or a forked child */

/* A child shares nothing that is valid; it must not use MPI, but if it does, it is not tracked. */
static void forget_in_child(void)
{
    out_of_service = true;
    mpilens__thread = &mpilens__other_way;
    mpilens__own_thread = NULL;
    black_box_leave();
}

/* Back to the call that `outer` was. */
static void leave_inner(struct thread *thread, struct outer_call *outer);

/* Gives up calls that an error handler jumped out of. The stack grows downwards: the wrapper of such a call is below
 * where the stack of the one being entered begins. */
static void drop_left_calls(struct thread *thread, uint64_t frame)
{
    while (thread->published.function != 0 && frame >= thread->published.frame) {
        collective_abandon(thread);
        operation_abandon_current(thread);
        if (thread->outer != NULL)
            leave_inner(thread, thread->outer);
        else
            call_end(thread);
    }
}

static void thread_end(void *argument)
{
    struct thread *thread = argument;
    mpilens__thread = &mpilens__other_way;
    mpilens__own_thread = NULL;
    drop_left_calls(thread, UINT64_MAX);
    __atomic_store_n(&thread->published.state, MPILENS_THREAD_ENDED, __ATOMIC_RELEASE);
}

static void begin_process(void)
{
    pthread_atfork(NULL, NULL, forget_in_child);
    recorder_read_capacity();
    table_set_record_bytes(MPILENS_TABLE_THREADS, recorder_thread_bytes());
    process_first_call();
    if (pthread_key_create(&thread_key, thread_end) != 0)
        out_of_service = true;
}

static struct thread *begin_thread(const void *caller)
{
    if (!resolve_functions(caller))
        return NULL;
    pthread_once(&first_call, begin_process);
    if (out_of_service || (calls_to_pass > 0 && calls_to_pass-- > 0))
        return NULL;
    struct thread *thread = thread_take_record();
    if (thread == NULL) {
        calls_to_pass = CALLS_WITHOUT_MEMORY;
        return NULL;
    }
    pthread_setspecific(thread_key, thread);
    mpilens__own_thread = thread;
    return thread;
}

static struct outer_call *take_outer(struct thread *thread)
{
    struct outer_call *outer = thread->unused_outers;
    if (outer == NULL)
        return memory_map(sizeof *outer);
    thread->unused_outers = outer->outer;
    return outer;
}

/* Sets the thread up for a call inside its current one. NULL: no memory. */
static struct outer_call *interrupt(struct thread *thread)
{
    struct outer_call *outer = take_outer(thread);
    if (outer == NULL)
        return NULL;
    outer->call = thread->published; /* leave_inner restores this */
    outer->outer = thread->outer;
    outer->scratch = thread->scratch;
    outer->by_pmpi = thread->by_pmpi;
    outer->from_fortran = thread->from_fortran;
    thread->scratch = (struct scratch){.handles = NULL};
    outer->borrowed = operation_begin_inner(thread, thread->published.operation);
    thread->outer = outer;
    call_end(thread); /* readers see no call until the inner one is published */
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

/* Every special case of a call comes here, one after the other: the first call of a thread, a call that comes through a
 * Fortran binding, one after an error handler has jumped out of another, and one inside another. NULL: the call is not
 * tracked. */
struct thread *thread_enter_slowly(struct slow_way *way)
{
    struct thread *thread = mpilens__own_thread;
    bool by_pmpi = mpilens__by_pmpi;
    mpilens__by_pmpi = false;
    if (thread == NULL)
        thread = begin_thread(way->caller);
    if (thread == NULL)
        return NULL;
    if (mpilens__thread != thread) { /* a new thread, or an entry of the Fortran binding has noted a statement */
        mpilens__thread = thread;
        way->statement = fortran_take(way->caller, way->frame);
    }
    drop_left_calls(thread, way->frame);
    if (thread->published.function != 0) {
        if (is_internal(way->caller))
            return NULL;
        way->outer = interrupt(thread);
        if (way->outer == NULL)
            return NULL;
    }
    thread->by_pmpi = by_pmpi;
    thread->from_fortran = way->statement.site != NULL;
    if (way->statement.site != NULL)
        way->caller = way->statement.site;
    return thread;
}

void thread_leave(struct thread *thread, struct slow_way *way)
{
    thread->by_pmpi = false;
    thread->from_fortran = false;
    if (way->outer != NULL)
        leave_inner(thread, way->outer);
    if (way->statement.site != NULL) {
        fortran_put_back(way->statement);
        mpilens__thread = &mpilens__other_way;
    }
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
    /* Field by field, not the whole struct: the counters in it go on. `function` comes last: until then, readers see no
     * call, also where a jump has left the inner one. */
    call_end(thread);
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
