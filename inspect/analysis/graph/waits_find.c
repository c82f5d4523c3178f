/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wait-for graph of a job: its processes and threads.
 */
#include "analysis/graph/graph.h"

#include "analysis/calls/calls.h"
#include "analysis/findings/findings.h"
#include "base/base.h"
#include "model/model.h"

/* Adds the waits of a thread's call. */
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

/* Whether one that has not called MPI so far may do so. Many never do, so that this is not expected for ever: in this
 * patience is no different from that with a process that is not in MPI at all. */
static bool unseen_thread_may_act(const struct waits *waits, const struct process *process)
{
    bool waits_long = process->unseen_threads > 0;
    for (size_t i = 0; i < process->thread_count && waits_long; i++)
        waits_long = !thread_is_blocked(&process->threads[i]) || process->threads[i].age_s > waits->options->patience_s;
    return process->unseen_threads > 0 && !waits_long;
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

static void find(const struct job *job, const struct analysis_options *options, enum wait_mode strangers,
                 struct waits *ret_waits)
{
    struct waits waits = {.job = job, .options = options, .index = job_index_create(job)};
    waits.rounds = known_rounds_create(options->patience_s);
    waits.process_nodes = arena_allocate((job->process_count + 1) * sizeof *waits.process_nodes);
    waits.anything = waits_add(&waits, WAITS_FOR_NOTHING, (struct wait_subject){.kind = SUBJECT_ANYTHING});
    waits.strangers = waits_add(&waits, strangers, (struct wait_subject){.kind = SUBJECT_STRANGERS});
    add_processes(&waits);
    for (size_t i = 0; i < job->process_count; i++)
        add_threads(&waits, (uint32_t)i);
    connect_threads(&waits);
    wait_graph_solve(&waits.graph);
    *ret_waits = waits;
}

void waits_find(const struct job *job, const struct analysis_options *options, struct waits *ret_waits)
{
    find(job, options, WAITS_FOR_NOTHING, ret_waits);
}

void waits_find_alone(const struct job *job, const struct analysis_options *options, struct waits *ret_waits)
{
    find(job, options, WAITS_IN_VAIN, ret_waits);
}
