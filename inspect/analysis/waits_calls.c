/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a call waits for that all members of a communicator make: collective calls, those that make communicators,
 * windows and files, MPI_Init and MPI_Finalize.
 */
#include "collective_round.h"
#include "waits.h"

#include <string.h>

/* Scans wait for lower ranks; of more than so many that are missing it is not said whom. */
enum { MOST_LOWER_RANKS = 64 };

/* Looks at the members of the groups of a communicator: connects with those that have not come so far. */
struct roll_call {
    struct waits *waits;
    uint32_t node;
    struct job_members members;
    bool (*has_come)(const struct job_member *member, const void *context);
    const void *context;
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

static void call_member(struct roll_call *call, int32_t world_rank)
{
    const struct job_member *member = find_member(call, world_rank);
    if (member != NULL && call->has_come(member, call->context))
        return;
    waits_connect_rank(call->waits, call->node, world_rank);
    call->missing++;
}

static void call_group(struct roll_call *call, const struct group *group, int32_t size)
{
    if (group == NULL)
        wait_graph_connect(&call->waits->graph, call->node, call->waits->anything);
    for (int32_t i = 0; group != NULL && i < size; i++)
        call_member(call, group_world_rank(group, i));
}

static size_t call_roll(struct roll_call *call, const struct communicator *communicator)
{
    call_group(call, communicator->group, communicator->size);
    if (communicator->intercommunicator)
        call_group(call, communicator->remote_group, communicator->remote_size);
    return call->missing;
}

static bool has_begun_round(const struct job_member *member, const void *context)
{
    return collective_round_has_begun(member, *(const uint64_t *)context);
}

/* Nobody is missing: either the call is on its way, or its members do not agree on what it is. */
static void connect_complete_round(struct waits *waits, uint32_t node, const struct collective_round *round)
{
    if (round->difference != ROUND_ALIKE)
        waits->graph.nodes[node].mode = WAITS_IN_VAIN;
    else
        wait_graph_connect(&waits->graph, node, waits->anything);
}

static uint32_t share_round(struct waits *waits, const struct communicator *communicator, uint64_t serial)
{
    bool is_new;
    const struct shared_key key = {.kind = SUBJECT_COLLECTIVE, .id = communicator->id, .serial = serial};
    const uint32_t node = waits_share(
        waits, key, WAITS_FOR_ALL,
        (struct wait_subject){.kind = SUBJECT_COLLECTIVE, .communicator = communicator, .serial = serial}, &is_new);
    if (!is_new)
        return node;
    const struct collective_round round = collective_round_find(&waits->index, communicator->id, serial);
    struct roll_call call = {
        .waits = waits, .node = node, .members = round.members, .has_come = has_begun_round, .context = &serial};
    if (call_roll(&call, communicator) == 0)
        connect_complete_round(waits, node, &round);
    return node;
}

/* The root has not begun the call, and nothing can come from anybody before that. */
static uint32_t share_root(struct waits *waits, const struct communicator *communicator,
                           const struct collective_call *call)
{
    bool is_new;
    const struct shared_key key = {
        .kind = SUBJECT_COLLECTIVE, .id = communicator->id, .serial = call->serial, .function = "root"};
    const uint32_t node = waits_share(
        waits, key, WAITS_FOR_ALL,
        (struct wait_subject){.kind = SUBJECT_COLLECTIVE, .communicator = communicator, .serial = call->serial},
        &is_new);
    if (is_new)
        waits_connect_rank(waits, node, group_world_rank(communicator->group, call->root));
    return node;
}

static bool has_rank_begun(const struct waits *waits, const struct communicator *communicator, int32_t local,
                           uint64_t serial)
{
    const struct process *process = job_index_process(&waits->index, group_world_rank(communicator->group, local));
    const struct communicator *theirs = process != NULL ? find_communicator(process, communicator->id) : NULL;
    return theirs != NULL && theirs->collective_count >= serial;
}

static void connect_lower_ranks(struct waits *waits, uint32_t node, const struct communicator *communicator,
                                uint64_t serial)
{
    size_t missing = 0;
    for (int32_t i = 0; i < communicator->rank && missing <= MOST_LOWER_RANKS; i++)
        if (!has_rank_begun(waits, communicator, i, serial) && missing++ < MOST_LOWER_RANKS)
            waits_connect_rank(waits, node, group_world_rank(communicator->group, i));
    if (missing == 0 || missing > MOST_LOWER_RANKS)
        wait_graph_connect(&waits->graph, node, waits->anything);
}

bool waits_for_collective(struct waits *waits, uint32_t node, const struct communicator *communicator, uint64_t serial)
{
    if (serial == 0)
        return false;
    const struct job_member self = {.communicator = communicator};
    const struct collective_call *call = collective_round_call(&self, serial);
    const enum round_waiting waiting =
        call != NULL ? collective_round_waiting(communicator, call) : ROUND_WAITS_FOR_ALL;
    if (waiting == ROUND_WAITS_FOR_LOWER_RANKS) {
        connect_lower_ranks(waits, node, communicator, serial);
    } else if (waiting == ROUND_WAITS_FOR_ROOT && !has_rank_begun(waits, communicator, call->root, serial)) {
        wait_graph_connect(&waits->graph, node, share_root(waits, communicator, call));
    } else {
        wait_graph_connect(&waits->graph, node, share_round(waits, communicator, serial));
    }
    return true;
}

const struct collective_call *find_blocked_collective(const struct communicator *communicator,
                                                      const struct thread *thread)
{
    for (size_t i = communicator->collective_call_count; i > 0; i--) {
        const struct collective_call *call = &communicator->collectives[i - 1];
        if (call->active && strcmp(call->function, thread->function) == 0)
            return call;
    }
    return NULL;
}

/* --- calls that make communicators: their members make them in the same order, too --- */

static bool has_begun_constructor(const struct job_member *member, const void *context)
{
    return member->communicator->constructor_count >= *(const uint64_t *)context;
}

/* Those that not all members of the communicator make, or that wait for somebody else beside. */
static bool has_other_partners(const char *function)
{
    static const char *const names[] = {"MPI_Comm_create_group",
                                        "MPI_Intercomm_create",
                                        "MPI_Comm_spawn",
                                        "MPI_Comm_accept",
                                        "MPI_Comm_connect",
                                        "MPI_Comm_join",
                                        "MPI_Comm_create_from_group",
                                        "MPI_Intercomm_create_from_groups",
                                        NULL};
    for (size_t i = 0; names[i] != NULL; i++)
        if (strncmp(function, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Connects with the node of a call that all members of the communicator must make, and that with those that have not
 * come. */
static void connect_meeting(struct waits *waits, uint32_t node, const struct communicator *communicator,
                            struct shared_key key, enum wait_mode mode,
                            bool (*has_come)(const struct job_member *, const void *), const void *context)
{
    bool is_new;
    const struct wait_subject subject = {.kind = SUBJECT_CALL, .communicator = communicator, .serial = key.serial};
    const uint32_t shared = waits_share(waits, key, mode, subject, &is_new);
    wait_graph_connect(&waits->graph, node, shared);
    if (!is_new)
        return;
    struct roll_call call = {.waits = waits,
                             .node = shared,
                             .members = job_index_members(&waits->index, communicator->id),
                             .has_come = has_come,
                             .context = context};
    if (call_roll(&call, communicator) == 0)
        wait_graph_connect(&waits->graph, shared, waits->anything);
}

bool waits_for_constructor(struct waits *waits, uint32_t node, const struct communicator *communicator,
                           const char *function)
{
    const uint64_t serial = communicator->constructor_count;
    if (has_other_partners(function) || serial == 0)
        return false;
    const struct shared_key key = {
        .kind = SUBJECT_CALL, .id = communicator->id, .serial = serial, .function = "constructor"};
    connect_meeting(waits, node, communicator, key, WAITS_FOR_ALL, has_begun_constructor, &serial);
    return true;
}

/* --- other calls of all members, which nothing counts: a member that is not in it may have left it already, so it
 * takes all that are missing to be dead --- */

bool process_is_in_call(const struct process *process, const char *function)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (strcmp(process->threads[i].function, function) == 0)
            return true;
    return false;
}

static bool is_in_call(const struct job_member *member, const void *context)
{
    return process_is_in_call(member->process, context);
}

bool waits_for_members_in_call(struct waits *waits, uint32_t node, const struct communicator *communicator,
                               const char *function)
{
    const struct shared_key key = {.kind = SUBJECT_CALL, .id = communicator->id, .function = function};
    connect_meeting(waits, node, communicator, key, WAITS_FOR_ANY, is_in_call, function);
    return true;
}

/* MPI_Finalize waits for all that have not come to it, MPI_Init for all that have not either. */
static bool wait_for_world(struct waits *waits, uint32_t node, const char *function)
{
    const bool finalizes = strcmp(function, "MPI_Finalize") == 0;
    bool is_new;
    const struct shared_key key = {.kind = SUBJECT_CALL, .function = function};
    const uint32_t shared =
        waits_share(waits, key, WAITS_FOR_ALL, (struct wait_subject){.kind = SUBJECT_CALL}, &is_new);
    wait_graph_connect(&waits->graph, node, shared);
    size_t missing = 0;
    for (size_t i = 0; is_new && i < waits->job->process_count; i++) {
        const struct process *process = &waits->job->processes[i];
        const bool has_come = finalizes ? process->state == PROCESS_FINALIZING || process->state == PROCESS_FINALIZED
                                        : process->state != PROCESS_EXITED && process->reason == NULL;
        if (has_come)
            continue;
        wait_graph_connect(&waits->graph, shared, waits->process_nodes[i]);
        missing++;
    }
    if (is_new && missing == 0)
        wait_graph_connect(&waits->graph, shared, waits->anything);
    return true;
}

bool waits_in_call(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    const struct communicator *communicator =
        find_communicator(&waits->job->processes[process], thread->communicator_id);
    if (thread->call_class == MPILENS_CALL_ENVIRONMENT)
        return (strcmp(thread->function, "MPI_Finalize") == 0 || strncmp(thread->function, "MPI_Init", 8) == 0) &&
               wait_for_world(waits, node, thread->function);
    if (communicator == NULL)
        return false;
    switch (thread->call_class) {
    case MPILENS_CALL_COLLECTIVE: {
        const struct collective_call *call = find_blocked_collective(communicator, thread);
        return call != NULL && waits_for_collective(waits, node, communicator, call->serial);
    }
    case MPILENS_CALL_COMMUNICATOR:
        return waits_for_connection(waits, node, communicator, thread) ||
               waits_for_constructor(waits, node, communicator, thread->function);
    case MPILENS_CALL_FILE:
    case MPILENS_CALL_FILE_DATA:
        return waits_for_members_in_call(waits, node, communicator, thread->function);
    default:
        return false;
    }
}
