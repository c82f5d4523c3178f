/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds the waits of calls that need somebody outside of their communicator: MPI_Comm_spawn, MPI_Comm_accept,
 * MPI_Comm_connect.
 */
#include "analysis/graph/graph.h"

#include "base/base.h"

#include <stdlib.h>

static bool wait_for_spawned(struct waits *waits, uint32_t node, const struct communicator *communicator)
{
    bool is_new;
    const struct shared_key key = {
        .kind = SUBJECT_SPAWNED, .id = communicator->id, .serial = communicator->constructor_calls};
    const uint32_t shared =
        waits_share(waits, key, WAITS_IN_VAIN,
                    (struct wait_subject){.kind = SUBJECT_SPAWNED, .communicator = communicator}, &is_new);
    wait_graph_connect(&waits->graph, node, shared);
    return true;
}

static bool *list_members(const struct waits *waits, const struct communicator *communicator)
{
    bool *is_member = allocate((waits->job->process_count + 1) * sizeof *is_member);
    const struct job_members members = job_index_members(&waits->index, communicator->id);
    for (size_t i = 0; i < members.count; i++)
        is_member[members.items[i].process - waits->job->processes] = true;
    return is_member;
}

/* Any process that is not a member may be the other side. Where there is none, it is another program: always
 * possible, so that it takes patience to say that nobody will come. */
static bool wait_for_other_side(struct waits *waits, uint32_t node, const struct communicator *communicator,
                                const struct thread *thread)
{
    if (thread->age_s <= waits->options->patience_s ||
        waits->job->process_count + rank_set_size(&waits->job->absent) <= (size_t)communicator->size)
        return false;
    bool is_new;
    const struct shared_key key = {.kind = SUBJECT_CALL,
                                   .id = communicator->id,
                                   .serial = communicator->constructor_calls,
                                   .function = "connection"};
    const uint32_t shared =
        waits_share(waits, key, WAITS_FOR_ANY, (struct wait_subject){.kind = SUBJECT_CALL}, &is_new);
    wait_graph_connect(&waits->graph, node, shared);
    if (!is_new)
        return true;
    if (waits->job->absent.count > 0)
        wait_graph_connect(&waits->graph, shared, waits->anything);
    bool *is_member = list_members(waits, communicator);
    for (size_t i = 0; i < waits->job->process_count; i++)
        if (!is_member[i])
            wait_graph_connect(&waits->graph, shared, waits->process_nodes[i]);
    free(is_member);
    return true;
}

bool waits_for_connection(struct waits *waits, uint32_t node, const struct communicator *communicator,
                          const struct thread *thread)
{
    if (thread->spawned != NULL && thread->spawned[0] != '\0')
        return wait_for_spawned(waits, node, communicator);
    if (thread->purpose == MPILENS_PURPOSE_CONNECT)
        return wait_for_other_side(waits, node, communicator, thread);
    return false;
}
