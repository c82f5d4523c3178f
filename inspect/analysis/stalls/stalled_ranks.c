/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups ranks that wait for the MPI library.
 */
#include "analysis/stalls/stalls_internal.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

const char *describe_standstill(const struct process *process)
{
    if (process->kernel == NULL)
        return NULL;
    if (process->kernel->frozen)
        return "is frozen by its control group";
    if (process->kernel->state == 'T')
        return "is stopped by a signal";
    return process->kernel->state == 't' ? "is held by a debugger" : NULL;
}

/* Where bytes are not counted, whether some are on their way that may arrive. */
static bool may_move(const struct kernel_facts *facts)
{
    for (size_t i = 0; i < facts->troubled_socket_count && !facts->counts_bytes; i++) {
        const struct troubled_socket *socket = &facts->troubled_sockets[i];
        if (socket->kind == SOCKET_TCP &&
            (socket->unread_bytes > 0 || (socket->unsent_bytes > 0 && socket->retransmissions == 0)))
            return true;
    }
    return false;
}

/* Nobody can stop a thread that sleeps so to read its stack. */
static bool cannot_be_interrupted(const struct process *process)
{
    return process->kernel->state == 'D';
}

/* Core files have no two moments, and all of their threads stand still. */
static bool is_known(const struct process *process, const struct thread *thread)
{
    if (process->core != NULL)
        return library_stack_is_known(process, thread);
    return process->kernel != NULL && process->kernel->watched_s > 0 && !may_move(process->kernel) &&
           (library_stack_is_known(process, thread) || describe_standstill(process) != NULL ||
            cannot_be_interrupted(process));
}

/* A thread that wants to run for less of the time hardly waits for a processor. */
static const double least_active_share = 0.3;

static double share_of(const struct kernel_facts *facts)
{
    const double active_s = facts->ran_meanwhile_s + facts->waited_meanwhile_s;
    return active_s > least_active_share * facts->watched_s ? facts->ran_meanwhile_s / active_s : 1;
}

/* Messages move through shared memory, or from one process to the other, without a trace but this. */
static bool is_copying(const struct process *process)
{
    static const char *const functions[] = {"memcpy", "memmove", "mempcpy"};
    const struct call_stack *stack = find_call_stack(process, process->kernel->tid);
    const char *inside = stack != NULL && stack->inside != NULL ? stack->inside : "";
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strncmp(inside, functions[i], strlen(functions[i])) == 0)
            return true;
    return strncmp(process->kernel->system_call, "process_vm_", strlen("process_vm_")) == 0;
}

static void take_facts(const struct kernel_facts *facts, struct stalled_ranks *stalled)
{
    const double share = share_of(facts);
    stalled->least_share = share < stalled->least_share ? share : stalled->least_share;
    if (stalled->watched_s == 0 || facts->watched_s < stalled->watched_s)
        stalled->watched_s = facts->watched_s;
    stalled->shares_memory = stalled->shares_memory && facts->shares_memory;
    stalled->moved_bytes += facts->sent_meanwhile + facts->received_meanwhile;
    stalled->file_bytes += facts->file_meanwhile;
    stalled->connections += facts->connections;
    stalled->has_devices = stalled->has_devices || facts->devices[0] != '\0';
    if (facts->silent_s >= 0 && (stalled->silent_s < 0 || facts->silent_s < stalled->silent_s))
        stalled->silent_s = facts->silent_s;
}

static void take_process(const struct process *process, struct stalled_ranks *stalled)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        stalled->is_known = stalled->is_known && is_known(process, thread) && thread->age_s >= 0;
        if (stalled->age_s < 0 || thread->age_s < stalled->age_s)
            stalled->age_s = thread->age_s;
    }
    if (process->kernel == NULL)
        return;
    take_facts(process->kernel, stalled);
    stalled->copies = stalled->copies || process->kernel->shared_memory_changed || is_copying(process);
}

static void finish(const struct waits *waits, struct stalled_ranks *stalled)
{
    ranks_finish(&stalled->waiting);
    ranks_add_all(&stalled->involved, &stalled->waiting);
    ranks_finish(&stalled->involved);
    for (size_t i = 0; i < stalled->involved.count; i++) {
        const struct process *process = job_index_process(&waits->index, stalled->involved.items[i]);
        if (process != NULL)
            take_process(process, stalled);
    }
}

static int compare_stalls(const void *left_stall, const void *right_stall)
{
    const struct stalled_ranks *left = left_stall;
    const struct stalled_ranks *right = right_stall;
    if (left->age_s != right->age_s)
        return left->age_s > right->age_s ? -1 : 1;
    return left->meeting < right->meeting ? -1 : left->meeting > right->meeting;
}

struct stalls stalls_find(const struct waits *waits)
{
    struct library_waits found = library_waits_find(waits);
    struct stalls stalls = {.count = 0};
    for (size_t i = 0; i < found.count; i++) {
        const struct library_wait *wait = &found.items[i];
        if (stalls.count == 0 || stalls.items[stalls.count - 1].meeting != wait->meeting) {
            stalls.items = arena_append(stalls.items, &stalls.count, sizeof *stalls.items);
            stalls.items[stalls.count - 1] = (struct stalled_ranks){.meeting = wait->meeting,
                                                                    .age_s = -1,
                                                                    .least_share = 1,
                                                                    .shares_memory = true,
                                                                    .silent_s = -1,
                                                                    .is_known = true};
            if (wait->meeting != NO_NODE)
                ranks_add_all(&stalls.items[stalls.count - 1].involved, wait->needed);
        }
        struct stalled_ranks *stalled = &stalls.items[stalls.count - 1];
        ranks_add(&stalled->waiting, waits->job->processes[waits->subjects[wait->node].process].rank);
        if (wait->meeting == NO_NODE)
            ranks_add_all(&stalled->involved, wait->needed);
    }
    for (size_t i = 0; i < stalls.count; i++)
        finish(waits, &stalls.items[i]);
    if (stalls.count > 1)
        qsort(stalls.items, stalls.count, sizeof *stalls.items, compare_stalls);
    return stalls;
}
