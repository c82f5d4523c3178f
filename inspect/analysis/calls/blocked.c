/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells who can go on by itself.
 */
#include "analysis/calls/calls.h"

bool process_is_gone(const struct process *process)
{
    return process->state == PROCESS_FINALIZING || process->state == PROCESS_FINALIZED ||
           process->state == PROCESS_EXITED;
}

bool thread_is_blocked(const struct thread *thread)
{
    return thread->stalled && !thread->ended && thread->function[0] != '\0';
}

bool thread_polls_in_turn(const struct thread *thread)
{
    return thread->other_poll_count > 0 || thread->more_polls;
}

bool thread_may_act(const struct thread *thread)
{
    return thread->function[0] != '\0' ? !thread->stalled : !thread->waits_for_threads;
}

bool process_is_outside_mpi(const struct process *process)
{
    bool has_thread = false;
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (!thread->ended && (thread->function[0] != '\0' || thread->called_meanwhile))
            return false;
        has_thread = has_thread || !thread->ended;
    }
    return has_thread && process->state == PROCESS_RUNNING && process->reason == NULL;
}

bool process_can_act(const struct process *process)
{
    if (process->reason != NULL && process->state != PROCESS_EXITED)
        return true; /* it could not be read */
    bool has_thread = false, has_blocked_thread = false;
    for (size_t i = 0; i < process->thread_count; i++) {
        has_thread = has_thread || !process->threads[i].ended;
        has_blocked_thread = has_blocked_thread || thread_is_blocked(&process->threads[i]);
    }
    if (!has_thread || !has_blocked_thread)
        return true;
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && thread_may_act(&process->threads[i]))
            return true;
    return false;
}
