/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The waits of a collective call: for members that have not come, its root, lower ranks, or neighbours.
 */
#include "analysis/graph/graph.h"

#include "analysis/calls/calls.h"
#include "model/model.h"

/* Looks at the members of the groups of a communicator: connects with those that have not come so far. */
struct roll_call {
    struct waits *waits;
    uint32_t node;
    struct job_members members;
    uint64_t serial;
    uint32_t kind; /* enum mpilens_object_kind: of what they are members, and its id */
    uint64_t id;
    bool frees; /* the call frees what its members have in common */
    size_t missing;
    size_t next; /* of the members, as world ranks mostly ascend */
};

static const struct job_member *find_member(struct roll_call *call, int32_t world_rank)
{
    const struct job_members *members = &call->members;
    const bool is_next = call->next < members->count && members->items[call->next].process->rank == world_rank;
    const struct job_member *found =
        is_next ? &members->items[call->next] : job_members_find(&call->members, world_rank);
    if (found != NULL)
        call->next = (size_t)(found - members->items) + 1;
    return found;
}

/* A process without a record of the communicator, window or file may be in the call. */
static bool is_known_to_lack(const struct roll_call *call, int32_t world_rank)
{
    const struct process *process = job_index_process(&call->waits->index, world_rank);
    return process == NULL || process->untracked_objects == 0;
}

/* A process that has freed the object is no longer a member. */
static bool has_left(const struct roll_call *call, int32_t world_rank)
{
    const struct process *process = call->frees ? job_index_process(&call->waits->index, world_rank) : NULL;
    return process != NULL && process->reason == NULL && process->state != PROCESS_FINALIZED &&
           process->state != PROCESS_EXITED;
}

/* The remains of the object at a former member; NULL: not known. */
static const struct freed_object *find_freed(const struct roll_call *call, int32_t world_rank)
{
    const struct process *process = job_index_process(&call->waits->index, world_rank);
    return process != NULL ? find_freed_object(process, call->kind, call->id) : NULL;
}

static bool has_come(const struct roll_call *call, const struct job_member *member, int32_t world_rank)
{
    if (member != NULL)
        return collective_round_has_begun(member, call->serial);
    const struct freed_object *freed = find_freed(call, world_rank);
    return freed != NULL ? freed_object_calls(freed, call->frees) >= call->serial : has_left(call, world_rank);
}

static void call_member(struct roll_call *call, int32_t world_rank)
{
    const struct job_member *member = find_member(call, world_rank);
    if (has_come(call, member, world_rank))
        return;
    if (member != NULL || is_known_to_lack(call, world_rank))
        waits_connect_rank(call->waits, call->node, world_rank);
    else
        wait_graph_connect(&call->waits->graph, call->node, call->waits->anything);
    call->missing++;
}

/* For more members than processes: a member without a process has not come, as far as known. */
static void call_processes(struct roll_call *call, const struct group *group)
{
    const struct job *job = call->waits->job;
    int32_t found = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        if (group_local_rank(group, job->processes[i].rank) < 0)
            continue;
        call_member(call, job->processes[i].rank);
        found++;
    }
    waits_connect_others(call->waits, call->node, group, found);
    call->missing += (size_t)(group->size > found ? group->size - found : 0);
}

static void call_group(struct roll_call *call, const struct group *group)
{
    if (group == NULL)
        wait_graph_connect(&call->waits->graph, call->node, call->waits->anything);
    else if ((size_t)group->size > call->waits->job->process_count)
        call_processes(call, group);
    else
        for (int32_t i = 0; i < group->size; i++)
            call_member(call, group_world_rank(group, i));
}

/* `communicator` NULL: nobody knows more members than those that are there. */
static size_t call_roll(struct roll_call *call, const struct communicator *communicator)
{
    if (communicator == NULL) {
        for (size_t i = 0; i < call->members.count; i++)
            call_member(call, call->members.items[i].process->rank);
        return call->missing;
    }
    call_group(call, communicator->group);
    if (communicator->intercommunicator)
        call_group(call, communicator->remote_group);
    return call->missing;
}

/* Nobody is missing: either the call is on its way, or its members do not agree on what it is. */
static void connect_complete_round(struct waits *waits, uint32_t node, const struct collective_round *round)
{
    if (round->difference != ROUND_ALIKE)
        waits->graph.nodes[node].mode = WAITS_IN_VAIN;
    else
        wait_graph_connect(&waits->graph, node, waits->anything);
}

static uint32_t share_round(struct waits *waits, const struct job_member *self, uint64_t serial);

static bool has_other_side_come(struct waits *waits, const struct leaders *leaders)
{
    return collective_round_has_all(
        &known_round_find(waits->rounds, &waits->index, &leaders->other, leaders->other_serial)->round);
}

/* For one side of an intercommunicator whose members have all come: it waits for the other side. If two leaders
 * disagree, reports the leader of the lower rank. */
static void connect_leaders(struct waits *waits, uint32_t node, const struct collective_round *round)
{
    const struct leaders leaders = leaders_find(&waits->index, round);
    const bool is_told_there = leaders.state == LEADERS_DISAGREE &&
                               leaders.other_thread->peer_world == leaders.process->rank &&
                               leaders.other_process->rank < leaders.process->rank;
    if (is_told_there || (leaders.state == LEADERS_MEET && !has_other_side_come(waits, &leaders)))
        wait_graph_connect(&waits->graph, node, share_round(waits, &leaders.other, leaders.other_serial));
    else if (leaders.state == LEADERS_DISAGREE)
        waits->graph.nodes[node].mode = WAITS_IN_VAIN;
    else if (leaders.state == LEADERS_APART)
        waits_connect_rank(waits, node, leaders.thread->peer_world);
    else
        wait_graph_connect(&waits->graph, node, waits->anything);
}

static bool frees_its_object(const struct collective_call *call)
{
    return call->purpose == MPILENS_PURPOSE_FREE_COMMON;
}

static uint32_t share_round(struct waits *waits, const struct job_member *self, uint64_t serial)
{
    bool is_new;
    const struct object *object = self->object;
    const struct shared_key key = {.kind = SUBJECT_COLLECTIVE,
                                   .id = object != NULL ? shared_object_id(object) : self->communicator->id,
                                   .serial = serial,
                                   .function = object != NULL ? mpilens_object_kind_name((int)object->kind) : NULL};
    const struct wait_subject subject = {
        .kind = SUBJECT_COLLECTIVE, .communicator = self->communicator, .object = object, .serial = serial};
    const uint32_t node = waits_share(waits, key, WAITS_FOR_ALL, subject, &is_new);
    if (!is_new)
        return node;
    struct known_round *known = known_round_find(waits->rounds, &waits->index, self, serial);
    waits_add_to_round(waits, node, known);
    const struct collective_call *made = collective_round_call(self, serial);
    struct roll_call call = {.waits = waits,
                             .node = node,
                             .members = known->round.members,
                             .serial = serial,
                             .kind = object != NULL ? object->kind : MPILENS_OBJECT_COMMUNICATOR,
                             .id = key.id,
                             .frees = made != NULL && frees_its_object(made)};
    if (call_roll(&call, self->communicator) > 0)
        return node;
    if (made != NULL && made->purpose == MPILENS_PURPOSE_LEADERS && known->round.difference == ROUND_ALIKE)
        connect_leaders(waits, node, &known->round);
    else
        connect_complete_round(waits, node, &known->round);
    return node;
}

/* The root has not begun the call, and nothing can come from anybody before that. */
static uint32_t share_root(struct waits *waits, const struct job_member *self, const struct collective_call *call)
{
    bool is_new;
    const struct communicator *communicator = self->communicator;
    const struct shared_key key = {
        .kind = SUBJECT_COLLECTIVE, .id = communicator->id, .serial = call->serial, .function = "root"};
    const uint32_t node = waits_share(
        waits, key, WAITS_FOR_ALL,
        (struct wait_subject){.kind = SUBJECT_COLLECTIVE, .communicator = communicator, .serial = call->serial},
        &is_new);
    if (is_new) {
        waits_add_to_round(waits, node, known_round_find(waits->rounds, &waits->index, self, call->serial));
        waits_connect_rank(waits, node, group_world_rank(communicator->group, call->root));
    }
    return node;
}

/* For one at least of those that have not come, for which is not known. */
static uint32_t share_some(struct waits *waits, const struct job_member *self, uint64_t serial)
{
    const uint32_t node = share_round(waits, self, serial);
    if (waits->graph.nodes[node].mode == WAITS_FOR_ALL)
        waits->graph.nodes[node].mode = WAITS_FOR_ANY;
    return node;
}

/* Where the topology is not known, any of those that have not come may be no neighbour. */
static uint32_t share_exchange(struct waits *waits, const struct job_member *self, uint64_t serial)
{
    const uint32_t known = waits_add_exchange(waits, self, serial);
    return known != NO_NODE ? known : share_some(waits, self, serial);
}

bool waits_for_collective(struct waits *waits, uint32_t node, const struct job_member *self, uint64_t serial)
{
    if (serial == 0 || (self->object != NULL ? shared_object_id(self->object) == 0 : self->communicator == NULL))
        return false;
    const struct communicator *communicator = self->communicator;
    const struct collective_call *call = collective_round_call(self, serial);
    const enum round_waiting waiting =
        call != NULL && self->object == NULL ? collective_round_waiting(communicator, call) : ROUND_WAITS_FOR_ALL;
    if (waiting == ROUND_WAITS_FOR_LOWER_RANKS && waits_for_lower_ranks(waits, node, self, serial))
        return true;
    if (waiting == ROUND_WAITS_FOR_ROOT && !waits_has_rank_begun(waits, communicator, call->root, serial)) {
        wait_graph_connect(&waits->graph, node, share_root(waits, self, call));
    } else if (waiting == ROUND_WAITS_FOR_NEIGHBOURS) {
        wait_graph_connect(&waits->graph, node, share_exchange(waits, self, serial));
    } else {
        wait_graph_connect(&waits->graph, node, share_round(waits, self, serial));
    }
    return true;
}
