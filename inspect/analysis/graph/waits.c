/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Holds the nodes of the wait-for graph of a job, and what each stands for.
 */
#include "analysis/graph/graph.h"

#include "analysis/calls/calls.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

const struct thread *wait_subject_thread(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_THREAD || subject->kind == SUBJECT_POLL ? subject->thread : NULL;
}

const struct thread *wait_subject_call(const struct wait_subject *subject)
{
    if (subject->kind == SUBJECT_POLL)
        return subject->poll;
    return subject->kind == SUBJECT_THREAD && !thread_polls_in_turn(subject->thread) ? subject->thread : NULL;
}

bool wait_subject_is_message(const struct wait_subject *subject)
{
    if (subject->kind == SUBJECT_OPERATION)
        return subject->operation != NULL;
    const struct thread *call = wait_subject_call(subject);
    return call != NULL && (call->call_class == MPILENS_CALL_PROBE || call->call_class == MPILENS_CALL_IPROBE);
}

uint32_t waits_add(struct waits *waits, enum wait_mode mode, struct wait_subject subject)
{
    waits->subjects = arena_append(waits->subjects, &waits->subject_count, sizeof *waits->subjects);
    waits->subjects[waits->subject_count - 1] = subject;
    return wait_graph_add(&waits->graph, mode);
}

void waits_connect_rank(struct waits *waits, uint32_t node, int32_t world_rank)
{
    const uint32_t process = job_index_find_rank(&waits->index, world_rank);
    const uint32_t other = world_rank < 0 ? waits->strangers : waits->anything;
    wait_graph_connect(&waits->graph, node, process != NO_PROCESS ? waits->process_nodes[process] : other);
}

void waits_connect_group(struct waits *waits, uint32_t node, const struct group *group)
{
    const struct job *job = waits->job;
    int32_t found = 0;
    if ((size_t)group->size <= job->process_count) {
        for (int32_t i = 0; i < group->size; i++)
            waits_connect_rank(waits, node, group_world_rank(group, i));
        return;
    }
    for (size_t i = 0; i < job->process_count; i++) {
        if (group_local_rank(group, job->processes[i].rank) < 0)
            continue;
        waits_connect_rank(waits, node, job->processes[i].rank);
        found++;
    }
    waits_connect_others(waits, node, group, found);
}

void waits_connect_others(struct waits *waits, uint32_t node, const struct group *group, int32_t found)
{
    int64_t strangers = 0;
    for (size_t i = 0; i < group->range_count; i++)
        strangers += group->ranges[i].first < 0 ? group->ranges[i].count : 0;
    if (strangers > 0)
        wait_graph_connect(&waits->graph, node, waits->strangers);
    if (group->size - strangers > found)
        wait_graph_connect(&waits->graph, node, waits->anything);
}

struct shared_node {
    struct shared_key key;
    uint32_t node;
};

static int compare_shared(const void *left_node, const void *right_node)
{
    const struct shared_key *left = &((const struct shared_node *)left_node)->key;
    const struct shared_key *right = &((const struct shared_node *)right_node)->key;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    if (left->serial != right->serial)
        return left->serial < right->serial ? -1 : 1;
    if (left->function == NULL || right->function == NULL)
        return (left->function != NULL) - (right->function != NULL);
    return strcmp(left->function, right->function);
}

uint32_t waits_share(struct waits *waits, struct shared_key key, enum wait_mode mode, struct wait_subject subject,
                     bool *ret_is_new)
{
    const struct arena_mark mark = arena_mark();
    struct shared_node *wanted = arena_allocate(sizeof *wanted);
    *wanted = (struct shared_node){.key = key, .node = NO_NODE};
    struct shared_node *found = arena_search(wanted, &waits->shared, compare_shared);
    *ret_is_new = found == wanted;
    if (found == wanted)
        found->node = waits_add(waits, mode, subject);
    else
        arena_release(mark);
    return found->node;
}
