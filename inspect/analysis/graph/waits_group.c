/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The waits of a group's members that make a communicator of it.
 */
#include "analysis/graph/graph.h"

const struct thread *group_call_of(const struct process *process, const struct thread *thread)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *other = &process->threads[i];
        if (!other->ended && other->group != NULL && other->communicator_id == thread->communicator_id)
            return other;
    }
    return NULL;
}

const struct thread *group_call_at(const struct wait_subject *subject)
{
    const bool is_call = subject->kind == SUBJECT_CALL && subject->thread != NULL && subject->thread->group != NULL;
    return is_call ? subject->thread : NULL;
}

bool group_calls_meet(const struct thread *left, const struct thread *right)
{
    return left->group == right->group && left->tag == right->tag;
}

static bool is_member(const struct process *process, const struct thread *thread)
{
    return group_local_rank(thread->group, process->rank) >= 0;
}

static uint32_t share_group(struct waits *waits, uint32_t process, const struct thread *thread);

/* Examines a member that is in another call, or in none. Returns whether no rank needs to wait for it. */
static bool look_at_member(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread,
                           int32_t world_rank)
{
    const struct process *self = &waits->job->processes[process];
    const uint32_t number = job_index_find_rank(&waits->index, world_rank);
    const struct process *other = number != NO_PROCESS ? &waits->job->processes[number] : NULL;
    const struct thread *call = other != NULL ? group_call_of(other, thread) : NULL;
    if (call != NULL && group_calls_meet(thread, call))
        return true;
    if (call == NULL)
        waits_connect_rank(waits, node, world_rank);
    else if (other->rank < self->rank && is_member(self, call)) /* it is told of the lower rank */
        wait_graph_connect(&waits->graph, node, share_group(waits, number, call));
    else
        waits->graph.nodes[node].mode = WAITS_IN_VAIN;
    return false;
}

/* The first of those in the call stands for all. */
static uint32_t share_group(struct waits *waits, uint32_t process, const struct thread *thread)
{
    bool is_new;
    const struct shared_key key = {.kind = SUBJECT_CALL,
                                   .id = thread->communicator_id,
                                   .serial = (uint64_t)(uintptr_t)thread->group ^ (uint32_t)thread->tag,
                                   .function = thread->function};
    const uint32_t node =
        waits_share(waits, key, WAITS_FOR_ALL,
                    (struct wait_subject){.kind = SUBJECT_CALL, .process = process, .thread = thread}, &is_new);
    size_t missing = 0;
    for (int32_t i = 0; is_new && i < thread->group->size; i++)
        missing += !look_at_member(waits, node, process, thread, group_world_rank(thread->group, i));
    if (is_new && missing == 0)
        wait_graph_connect(&waits->graph, node, waits->anything);
    return node;
}

bool waits_for_group(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    if (thread->group == NULL || !is_member(&waits->job->processes[process], thread) ||
        (size_t)thread->group->size > waits->job->process_count)
        return false;
    wait_graph_connect(&waits->graph, node, share_group(waits, process, thread));
    return true;
}
