/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wait-for graph of a job: its processes and threads.
 */
#include "analysis/waits.h"

#include "analysis/known_rounds.h"
#include "base/allocation.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

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
    waits->subjects = array_append(waits->subjects, &waits->subject_count, sizeof *waits->subjects);
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
    struct shared_node *wanted = allocate(sizeof *wanted);
    *wanted = (struct shared_node){.key = key, .node = NO_NODE};
    struct shared_node *const *place = tsearch(wanted, &waits->shared, compare_shared);
    struct shared_node *found = place != NULL ? *place : wanted;
    *ret_is_new = found == wanted;
    if (found == wanted)
        found->node = waits_add(waits, mode, subject);
    else
        free(wanted);
    return found->node;
}

/* What the call of a thread waits for. */
static void connect_call(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    bool known;
    switch (thread->call_class) {
    case MPILENS_CALL_POINT_TO_POINT:
    case MPILENS_CALL_WAIT:
    case MPILENS_CALL_TEST:
    case MPILENS_CALL_PROBE:
    case MPILENS_CALL_IPROBE:
    case MPILENS_CALL_BUFFER:
        known = waits_for_operations(waits, node, process, thread);
        break;
    case MPILENS_CALL_WINDOW:
    case MPILENS_CALL_SYNCHRONIZATION:
    case MPILENS_CALL_ONE_SIDED:
        known = waits_in_call(waits, node, process, thread) || waits_for_window(waits, node, process, thread);
        break;
    default:
        known = waits_in_call(waits, node, process, thread);
    }
    if (!known)
        wait_graph_connect(&waits->graph, node, waits->anything);
}

/* Any of its polls may let the thread go on. */
static void connect_polls(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    waits->graph.nodes[node].mode = WAITS_FOR_ANY;
    for (size_t i = 0; i <= thread->other_poll_count; i++) {
        const struct thread *poll = find_poll(thread, i);
        const uint32_t poll_node =
            waits_add(waits, WAITS_FOR_ALL,
                      (struct wait_subject){.kind = SUBJECT_POLL, .process = process, .thread = thread, .poll = poll});
        wait_graph_connect(&waits->graph, node, poll_node);
        connect_call(waits, poll_node, process, poll);
    }
    if (thread->more_polls)
        wait_graph_connect(&waits->graph, node, waits->anything);
}

bool thread_may_act(const struct thread *thread)
{
    return thread->function[0] != '\0' ? !thread->stalled : !thread->waits_for_threads;
}

/* Whether one that has not called MPI so far may do so. Many never do, so that this is not expected for ever: in this
 * patience is no different from that with a process that is not in MPI at all. */
static bool unseen_thread_may_act(const struct waits *waits, const struct process *process)
{
    bool waits_long = process->unseen_threads > 0;
    for (size_t i = 0; i < process->thread_count && waits_long; i++)
        waits_long = !thread_is_blocked(&process->threads[i]) || process->threads[i].age_s > waits->options->patience_s;
    return process->unseen_threads > 0 && !waits_long;
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

static void add_processes(struct waits *waits)
{
    for (size_t i = 0; i < waits->job->process_count; i++) {
        const struct process *process = &waits->job->processes[i];
        enum wait_mode mode = WAITS_FOR_ANY;
        if (process_is_gone(process))
            mode = WAITS_IN_VAIN;
        else if (process_can_act(process) || unseen_thread_may_act(waits, process))
            mode = WAITS_FOR_NOTHING;
        waits->process_nodes[i] =
            waits_add(waits, mode, (struct wait_subject){.kind = SUBJECT_PROCESS, .process = (uint32_t)i});
    }
}

static void add_threads(struct waits *waits, uint32_t number)
{
    const struct process *process = &waits->job->processes[number];
    for (size_t i = 0; i < process->thread_count; i++) {
        if (!thread_is_blocked(&process->threads[i]))
            continue;
        const uint32_t node =
            waits_add(waits, WAITS_FOR_ALL,
                      (struct wait_subject){.kind = SUBJECT_THREAD, .process = number, .thread = &process->threads[i]});
        if (!process_is_gone(process))
            wait_graph_connect(&waits->graph, waits->process_nodes[number], node);
    }
}

static void connect_thread(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    if (thread_polls_in_turn(thread))
        connect_polls(waits, node, process, thread);
    else
        connect_call(waits, node, process, thread);
}

static void connect_threads(struct waits *waits)
{
    const size_t count = waits->subject_count;
    for (size_t node = 0; node < count; node++)
        if (waits->subjects[node].kind == SUBJECT_THREAD)
            connect_thread(waits, (uint32_t)node, waits->subjects[node].process, waits->subjects[node].thread);
}

void waits_find(const struct job *job, const struct analysis_options *options, struct waits *ret_waits)
{
    struct waits waits = {.job = job, .options = options, .index = job_index_create(job)};
    waits.rounds = known_rounds_create();
    waits.process_nodes = allocate((job->process_count + 1) * sizeof *waits.process_nodes);
    waits.anything = waits_add(&waits, WAITS_FOR_NOTHING, (struct wait_subject){.kind = SUBJECT_ANYTHING});
    waits.strangers = waits_add(&waits, WAITS_FOR_NOTHING, (struct wait_subject){.kind = SUBJECT_STRANGERS});
    add_processes(&waits);
    for (size_t i = 0; i < job->process_count; i++)
        add_threads(&waits, (uint32_t)i);
    connect_threads(&waits);
    wait_graph_solve(&waits.graph);
    *ret_waits = waits;
}

void waits_clear(struct waits *waits)
{
    wait_graph_clear(&waits->graph);
    job_index_clear(&waits->index);
    known_rounds_destroy(waits->rounds);
    tdestroy(waits->shared, free);
    free(waits->subjects);
    free(waits->process_nodes);
    *waits = (struct waits){0};
}
