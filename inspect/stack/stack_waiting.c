/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds threads that wait for other threads of their process.
 */
#include "stack/stack_internal.h"

#include "debug/debug.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>

/* The thread's wait, by its innermost frames up to the application. */
enum named_wait { NO_WAIT, WAIT_FOR_THREADS, WAIT_FOR_END, WAIT_FOR_END_OR_TIME };

static enum named_wait wait_in(const struct site *site)
{
    static const struct {
        const char *function;
        enum named_wait wait;
    } waits[] = {
        {"pthread_join", WAIT_FOR_END},
        {"pthread_clockjoin_ex", WAIT_FOR_END_OR_TIME}, /* stands for pthread_join, too, which jumps there */
        {"pthread_timedjoin_ex", WAIT_FOR_END_OR_TIME},
        {"pthread_mutex_lock", WAIT_FOR_THREADS},
        {"pthread_rwlock_rdlock", WAIT_FOR_THREADS},
        {"pthread_rwlock_wrlock", WAIT_FOR_THREADS},
        {"pthread_cond_wait", WAIT_FOR_THREADS},
        {"sem_wait", WAIT_FOR_THREADS},
        {"pthread_barrier_wait", WAIT_FOR_THREADS},
        {"pthread_once", WAIT_FOR_THREADS},
        {"cnd_wait", WAIT_FOR_THREADS},
        {"mtx_lock", WAIT_FOR_THREADS},
        {"thrd_join", WAIT_FOR_END},
        {"gomp_barrier_wait_end", WAIT_FOR_THREADS},
        {"gomp_team_barrier_wait_end", WAIT_FOR_THREADS},
        {"gomp_mutex_lock_slow", WAIT_FOR_THREADS},
    };
    enum named_wait wait = NO_WAIT;
    char *name = system_function_name(site->function);
    for (size_t i = 0; i < sizeof waits / sizeof *waits && wait == NO_WAIT; i++)
        if (strcmp(name, waits[i].function) == 0)
            wait = waits[i].wait;
    free(name);
    return wait;
}

static bool is_named(const char *function, const char *wanted)
{
    char *name = system_function_name(function);
    const bool is = strcmp(name, wanted) == 0;
    free(name);
    return is;
}

static enum named_wait find_named_wait(const struct thread_stack *stack)
{
    enum named_wait wait = NO_WAIT;
    for (size_t i = 0; i < stack->frame_count && wait != WAIT_FOR_THREADS && wait != WAIT_FOR_END; i++) {
        const struct site *site = stack->frames[i].site;
        if (site == NULL || !is_system_module(site->module))
            break;
        const enum named_wait here = site->function != NULL ? wait_in(site) : NO_WAIT;
        wait = here != NO_WAIT ? here : wait;
    }
    return wait;
}

/* CPython waits for its lock with a time limit of some milliseconds, again and again, and for nothing else in this way.
 */
static bool waits_for_interpreter(const struct thread_stack *stack)
{
    bool waits = false;
    for (size_t i = 0; i < stack->frame_count; i++) {
        const struct stack_frame *frame = &stack->frames[i];
        if (frame->site == NULL || frame->is_python || !is_system_module(frame->site->module))
            return waits && (frame->is_python || (frame->site != NULL && is_interpreter_module(frame->site->module)));
        waits = waits || (frame->site->function != NULL && is_named(frame->site->function, "pthread_cond_timedwait"));
    }
    return false;
}

bool stack_is_waiting_for_threads(const struct thread_stack *stack)
{
    if (stack->state != 'T' && stack->state != 't' && waits_for_interpreter(stack))
        return true; /* also when it wakes just now, to go on waiting */
    if (stack->state != 0 && stack->state != 'S')
        return false;
    const enum named_wait wait = find_named_wait(stack);
    if (!stack->system_call.is_known)
        return wait == WAIT_FOR_THREADS || wait == WAIT_FOR_END;
    /* Another process may end a wait for a shared futex, unless it waits for the end of a thread, which the kernel
     * wakes. */
    return is_endless_futex_wait(&stack->system_call) &&
           (is_private_futex(&stack->system_call) || wait == WAIT_FOR_END || wait == WAIT_FOR_END_OR_TIME);
}

static int compare_tids(const void *left_stack, const void *right_stack)
{
    const pid_t left = ((const struct thread_stack *)left_stack)->tid;
    const pid_t right = ((const struct thread_stack *)right_stack)->tid;
    return (left > right) - (left < right);
}

const struct thread_stack *stack_find_awaited(struct target *target, const struct stacks *stacks,
                                              const struct thread_stack *thread)
{
    enum { CONTENDED = 2 }; /* of glibc's mutex; its third word is then the thread that has locked it */
    uint32_t words[3];
    if (!is_endless_futex_wait(&thread->system_call) ||
        !target_peek(target, thread->system_call.arguments[0], words, sizeof words))
        return NULL;
    const pid_t awaited = (pid_t)((words[0] == CONTENDED ? words[2] : words[0]) & FUTEX_TID_MASK);
    if (stacks->threads[0].tid == awaited)
        return &stacks->threads[0];
    const struct thread_stack wanted = {.tid = awaited};
    return bsearch(&wanted, &stacks->threads[1], stacks->thread_count - 1, sizeof wanted, compare_tids);
}
