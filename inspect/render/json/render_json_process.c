/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes and threads as JSON.
 */
#include "render/json/render_json_internal.h"

#include "analysis/analysis.h"
#include "base/base.h"

#include <stdint.h>

/* The first operations of each queue of a process that a finding concerns: a master may have a million. */
enum { MOST_OF_QUEUE = 1000 };

static void write_operations(struct json_stream *stream, const struct thread *thread)
{
    for (size_t i = 0; i < thread->waiting_known; i++)
        json_stream_integer(stream, NULL, (int64_t)thread->waiting[i]);
}

/* Members of a call; `is_loop`: with the operations of all its polls. */
static void write_call_members(struct json_stream *stream, const struct process *process, const struct thread *thread,
                               bool is_loop)
{
    json_stream_text(stream, "function", thread->function);
    json_stream_seconds(stream, "age_s", thread->age_s);
    json_stream_boolean(stream, "polling", thread->polling);
    json_write_site(stream, "site", thread->site, thread->site_address);
    json_stream_open_array(stream, "operations");
    write_operations(stream, thread);
    for (size_t i = 1; is_loop && i <= thread->other_poll_count; i++)
        write_operations(stream, find_poll(thread, i));
    json_stream_close(stream);
    json_write_object_reference(stream, "object", process, thread->object_kind, thread->object_serial);
    if (thread->object_kind == MPILENS_OBJECT_WINDOW && thread->peer_local >= 0)
        json_write_peer(stream, "target", thread->peer_local, thread->peer_world);
    else
        json_stream_null(stream, "target");
    if (thread->lock_type != 0)
        json_stream_text(stream, "lock", describe_lock(thread->lock_type));
    if (thread->communicator_id != 0)
        json_stream_unique_id(stream, "communicator", thread->communicator_id);
    if (thread->polling)
        json_stream_integer(stream, "polls", (int64_t)thread->polls);
    if (thread->call_class == MPILENS_CALL_PROBE || thread->call_class == MPILENS_CALL_IPROBE) {
        json_write_peer(stream, "peer", thread->peer_local, thread->peer_world);
        json_stream_integer_if(stream, "tag", !thread->tag_wild, thread->tag);
    }
}

static void write_loop(struct json_stream *stream, const struct process *process, const struct thread *thread)
{
    json_stream_open_array(stream, "loop");
    for (size_t i = 0; i <= thread->other_poll_count; i++) {
        json_stream_open_object(stream, NULL);
        write_call_members(stream, process, find_poll(thread, i), false);
        json_stream_close(stream);
    }
    json_stream_close(stream);
    json_stream_boolean(stream, "more_polls", thread->more_polls);
}

static void write_call(struct json_stream *stream, const struct process *process, const struct thread *thread)
{
    if (!json_open_object_if(stream, "call", thread->function[0] != '\0'))
        return;
    write_call_members(stream, process, thread, thread->polling);
    if (thread->polling)
        write_loop(stream, process, thread);
    json_stream_close(stream);
}

static void write_threads(struct json_stream *stream, const struct process *process)
{
    json_stream_open_array(stream, "threads");
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        const struct call_stack *stack = find_call_stack(process, thread->tid);
        if (thread->ended)
            continue;
        json_stream_open_object(stream, NULL);
        json_write_thread_members(stream, thread);
        write_call(stream, process, thread);
        json_stream_text(stream, "inside_mpi", stack != NULL ? stack->inside : NULL);
        json_write_stack(stream, stack);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static void write_crash(struct json_stream *stream, const struct process *process)
{
    if (!json_open_object_if(stream, "crash", process->crash_signal != 0))
        return;
    json_stream_any_text(stream, "signal", arena_take(describe_signal((int)process->crash_signal)));
    json_stream_integer(stream, "number", process->crash_signal);
    json_stream_number(stream, "thread", process->crash_thread);
    json_stream_close(stream);
}

static void write_kernel(struct json_stream *stream, const struct kernel_facts *facts)
{
    if (facts == NULL) {
        json_stream_null(stream, "kernel");
        return;
    }
    json_stream_open_object(stream, "kernel");
    json_write_kernel_facts_members(stream, facts);
    json_write_boolean_if(stream, "shared_memory_changed", facts->shares_memory, facts->shared_memory_changed);
    json_stream_integer_if(stream, "sent_meanwhile", facts->counts_bytes, (int64_t)facts->sent_meanwhile);
    json_stream_integer_if(stream, "received_meanwhile", facts->counts_bytes, (int64_t)facts->received_meanwhile);
    json_stream_close(stream);
}

/* How a process that was asked for exact unexpected messages knows them. */
static void write_unexpected_mode(struct json_stream *stream, const struct process *process)
{
    const char *reason = describe_inexact_reason(process);
    json_stream_open_object(stream, "unexpected_messages");
    json_stream_any_text(stream, "origin", reason == NULL ? "exact" : "inferred");
    json_stream_seconds(stream, "as_of_s", process->unexpected_as_of_s);
    json_stream_text(stream, "reason", reason);
    json_stream_close(stream);
}

static void write_process_members(struct json_stream *stream, const struct process *process)
{
    const bool was_read = process->reason == NULL;
    const bool was_looked_into = was_read && !process->is_identified_only;
    json_write_process_members(stream, process);
    if (process->core != NULL)
        json_stream_text(stream, "core", process->core);
    write_crash(stream, process);
    if (process->has_ended)
        json_stream_boolean(stream, "ended", true);
    json_stream_text(stream, "black_box_problem", describe_box_problem(process));
    json_stream_integer_if(stream, "exit_status", process->exit_status > 0, (int64_t)process->exit_status - 1);
    json_stream_integer_if(stream, "untracked_operations", was_looked_into, (int64_t)process->untracked_operations);
    json_stream_integer_if(stream, "untracked_objects", was_read, (int64_t)process->untracked_objects);
    json_stream_integer_if(stream, "memory_bytes", was_read, (int64_t)process->memory_bytes);
    json_stream_integer_if(stream, "torn_records", was_looked_into, (int64_t)process->torn_records);
    if (process->synchronous_sends)
        json_stream_boolean(stream, "synchronous_sends", true);
    if (process->unexpected_mode != MPILENS_UNEXPECTED_INFERRED)
        write_unexpected_mode(stream, process);
    write_kernel(stream, process->kernel);
}

/* The threads of a process without the runtime. */
static void write_seen_threads(struct json_stream *stream, const struct process *process)
{
    if (!process->lacks_tables)
        return;
    json_stream_open_array(stream, "seen_threads");
    for (size_t i = 0; i < process->seen_thread_count; i++) {
        const struct seen_thread *thread = &process->seen_threads[i];
        json_stream_open_object(stream, NULL);
        json_write_seen_thread_members(stream, thread);
        json_write_site(stream, "site", thread->site, thread->address);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static void write_failed_call(struct json_stream *stream, const struct failed_call *call)
{
    json_stream_open_object(stream, NULL);
    json_write_failed_call_members(stream, call);
    json_stream_integer_if(stream, "peer", call->has_peer && call->peer_local != -1, call->peer_local);
    json_stream_integer_if(stream, "tag", call->has_tag && !call->tag_wild, call->tag);
    json_stream_integer_if(stream, "root", call->has_root, call->root);
    json_stream_close(stream);
}

static void write_buffer(struct json_stream *stream, const struct process *process)
{
    if (!json_open_object_if(stream, "attached_buffer", process->buffer != 0))
        return;
    json_stream_address(stream, "address", process->buffer);
    json_stream_integer(stream, "bytes", (int64_t)process->buffer_bytes);
    json_stream_close(stream);
}

/* Writes at most `most` requests, and operations of each queue. */
static void write_contents(struct json_stream *stream, const struct process *process, size_t most)
{
    json_stream_open_array(stream, "requests");
    for (size_t i = 0; i < process->request_count && i < most; i++) {
        json_stream_open_object(stream, NULL);
        json_write_request(stream, &process->requests[i], process->requests[i].details->site, NULL);
        json_stream_close(stream);
    }
    json_stream_close(stream);
    if (process->request_count > most)
        json_stream_integer(stream, "requests_left_out", (int64_t)(process->request_count - most));
    json_stream_open_array(stream, "objects");
    for (size_t i = 0; i < process->object_count; i++)
        if (!object_is_left(&process->objects[i]))
            json_write_object(stream, &process->objects[i]);
    json_stream_close(stream);
    write_buffer(stream, process);
    json_stream_open_array(stream, "failed_calls");
    for (size_t i = 0; i < process->failed_call_count; i++)
        write_failed_call(stream, &process->failed_calls[i]);
    json_stream_close(stream);
    write_threads(stream, process);
    write_seen_threads(stream, process);
    json_write_other_threads(stream, process);
    json_stream_open_array(stream, "communicators");
    for (size_t i = 0; i < process->communicator_count; i++)
        json_write_communicator(stream, &process->communicators[i], most);
    json_stream_close(stream);
}

void json_write_processes(struct json_stream *stream, const struct job *job, const struct rank_set *ranks,
                          const struct ranks *in_full)
{
    json_stream_open_array(stream, "processes");
    for (size_t i = 0; i < job->process_count && stream->error == 0; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(ranks, process->rank))
            continue;
        json_stream_open_object(stream, NULL);
        write_process_members(stream, process);
        if (in_full == NULL || ranks_has(in_full, process->rank))
            write_contents(stream, process, in_full == NULL ? SIZE_MAX : MOST_OF_QUEUE);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}
