/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the leaders of both sides.
 */
#include "analysis/calls/calls.h"

#include "model/model.h"

/* The thread that leads a side, of that communicator where it is not 0; NULL: none does. */
static const struct thread *find_leading(const struct process *process, uint64_t communicator_id)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (!thread->ended && thread->peer_communicator_id != 0 &&
            (communicator_id == 0 || thread->communicator_id == communicator_id))
            return thread;
    }
    return NULL;
}

static const struct job_member *find_leader(const struct collective_round *round)
{
    for (size_t i = 0; i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        const struct collective_call *call = collective_round_call(member, round->serial);
        if (call != NULL && call->has_root && call->root == member->communicator->rank)
            return member;
    }
    return NULL;
}

/* A rank without a call leads nothing, unless it could not be read. */
static enum leaders_state compare(const struct leaders *leaders)
{
    const struct thread *other = leaders->other_thread;
    if (other == NULL)
        return leaders->other_process->reason == NULL ? LEADERS_APART : LEADERS_UNKNOWN;
    return other->tag == leaders->thread->tag && other->peer_world == leaders->process->rank &&
                   other->peer_communicator_id == leaders->thread->peer_communicator_id
               ? LEADERS_MEET
               : LEADERS_DISAGREE;
}

struct leaders leaders_find(const struct job_index *index, const struct collective_round *round)
{
    struct leaders leaders = {.state = LEADERS_UNKNOWN};
    const struct job_member *leader = find_leader(round);
    if (leader == NULL)
        return leaders;
    leaders.process = leader->process;
    leaders.thread = find_leading(leader->process, leader->communicator->id);
    if (leaders.thread == NULL || leaders.thread->peer_world < 0)
        return leaders;
    leaders.other_process = job_index_process(index, leaders.thread->peer_world);
    if (leaders.other_process == NULL || leaders.other_process == leaders.process)
        return leaders;
    leaders.other_thread = find_leading(leaders.other_process, 0);
    if (leaders.other_thread != NULL) {
        const struct object *object;
        const struct collective_call *call =
            find_current_collective(leaders.other_process, leaders.other_thread, &object);
        leaders.other.process = leaders.other_process;
        leaders.other.communicator = find_communicator(leaders.other_process, leaders.other_thread->communicator_id);
        if (call == NULL || leaders.other.communicator == NULL)
            return leaders;
        leaders.other_serial = call->serial;
    }
    leaders.state = compare(&leaders);
    return leaders;
}
