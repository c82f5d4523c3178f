/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes and threads as JSON.
 */
#include "render/json/render_json_internal.h"

#include "analysis/analysis.h"
#include "base/base.h"
#include "mpilens/words.h"
#include "render/json/json_values.h"
#include "stack/stack.h"
#include "words/words.h"

#include <stdint.h>

/* Of a process that a finding concerns: the first ones of each queue, of which a master may have a million. */
enum { MOST_OF_QUEUE = 1000 };

static void append_operations(json_t *operations, const struct thread *thread)
{
    for (size_t i = 0; i < thread->waiting_known; i++)
        json_array_append_new(operations, json_integer((json_int_t)thread->waiting[i]));
}

static json_t *json_one_call(const struct process *process, const struct thread *thread)
{
    json_t *operations = json_array();
    append_operations(operations, thread);
    json_t *call = json_pack("{s:o, s:o, s:b, s:o, s:o}", "function", json_text(thread->function), "age_s",
                             json_seconds(thread->age_s), "polling", (int)thread->polling, "site",
                             json_site(thread->site, thread->site_address), "operations", operations);
    const bool is_window_call = thread->object_kind == MPILENS_OBJECT_WINDOW && thread->peer_local >= 0;
    json_object_set_new(call, "object", json_object_reference(process, thread->object_kind, thread->object_serial));
    json_object_set_new(call, "target",
                        is_window_call ? json_peer(thread->peer_local, thread->peer_world) : json_null());
    if (thread->lock_type != 0)
        json_object_set_new(call, "lock", json_string(describe_lock(thread->lock_type)));
    if (thread->communicator_id != 0)
        json_object_set_new(call, "communicator", json_unique_id(thread->communicator_id));
    if (thread->polling)
        json_object_set_new(call, "polls", json_integer((json_int_t)thread->polls));
    if (thread->call_class == MPILENS_CALL_PROBE || thread->call_class == MPILENS_CALL_IPROBE) {
        json_object_set_new(call, "peer", json_peer(thread->peer_local, thread->peer_world));
        json_object_set_new(call, "tag", json_tag(thread->tag_wild, thread->tag));
    }
    return call;
}

static json_t *json_call(const struct process *process, const struct thread *thread)
{
    if (thread->function[0] == '\0')
        return json_null();
    json_t *call = json_one_call(process, thread);
    if (!thread->polling)
        return call;
    json_t *loop = json_array();
    for (size_t i = 0; i <= thread->other_poll_count; i++) {
        json_array_append_new(loop, json_one_call(process, find_poll(thread, i)));
        if (i > 0)
            append_operations(json_object_get(call, "operations"), find_poll(thread, i));
    }
    json_object_set_new(call, "loop", loop);
    json_object_set_new(call, "more_polls", json_boolean(thread->more_polls));
    return call;
}

static json_t *json_thread(const struct process *process, const struct thread *thread)
{
    const struct call_stack *stack = find_call_stack(process, thread->tid);
    return json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "tid", json_number((int64_t)thread->tid), "call",
                     json_call(process, thread), "completions", (json_int_t)thread->completions, "handling",
                     json_text(thread->handling), "inside_mpi", json_text(stack != NULL ? stack->inside : NULL),
                     "stack", json_stack(stack), "stack_is_cut", json_stack_is_cut(stack));
}

static json_t *json_crash(const struct process *process)
{
    struct crash crash;
    if (!process_find_crash(process, &crash))
        return json_null();
    const char *signal = arena_take(describe_signal(crash.signal));
    json_t *object =
        json_pack("{s:s, s:i, s:o}", "signal", signal, "number", crash.signal, "thread", json_number(crash.thread));
    return object;
}

static json_t *json_socket(const struct troubled_socket *socket)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "kind", socket_kind_name(socket->kind), "state",
                     json_text(socket->state), "local", json_text(socket->local), "peer", json_text(socket->peer),
                     "interface", json_text(socket->interface), "unsent_bytes", (json_int_t)socket->unsent_bytes,
                     "unread_bytes", (json_int_t)socket->unread_bytes, "retransmissions",
                     (json_int_t)socket->retransmissions, "silent_s", json_seconds(socket->silent_s));
}

static json_t *json_counted(const struct kernel_facts *facts, uint64_t bytes)
{
    return facts->counts_bytes ? json_integer((json_int_t)bytes) : json_null();
}

static json_t *json_kernel(const struct kernel_facts *facts)
{
    if (facts == NULL)
        return json_null();
    const char state[] = {facts->state, '\0'};
    json_t *sockets = json_array();
    for (size_t i = 0; i < facts->troubled_socket_count; i++)
        json_array_append_new(sockets, json_socket(&facts->troubled_sockets[i]));
    json_t *object =
        json_pack("{s:I, s:o, s:o, s:o, s:b, s:I, s:I, s:I, s:o, s:I, s:o}", "tid", (json_int_t)facts->tid, "state",
                  json_text(state), "system_call", json_text(facts->system_call), "kernel_function",
                  json_text(facts->kernel_function), "frozen", (int)facts->is_frozen, "swapped_bytes",
                  (json_int_t)facts->swapped_bytes, "throttled_periods", (json_int_t)facts->throttled_periods, "killed",
                  (json_int_t)facts->killed, "devices", json_text(facts->devices), "connections",
                  (json_int_t)facts->connections, "troubled_sockets", sockets);
    json_object_set_new(object, "manager", json_text(facts->manager));
    json_object_set_new(object, "silent_s", json_seconds(facts->silent_s));
    json_object_set_new(object, "watched_s", json_real(facts->watched_s));
    json_object_set_new(object, "ran_meanwhile_s", json_real(facts->run_meanwhile_s));
    json_object_set_new(object, "waited_meanwhile_s", json_real(facts->waited_meanwhile_s));
    json_object_set_new(object, "shared_memory_changed",
                        facts->shares_memory ? json_boolean(facts->shared_changes) : json_null());
    json_object_set_new(object, "throttled_meanwhile", json_integer((json_int_t)facts->throttled_meanwhile));
    json_object_set_new(object, "sent_meanwhile", json_counted(facts, facts->sent_meanwhile));
    json_object_set_new(object, "received_meanwhile", json_counted(facts, facts->received_meanwhile));
    return object;
}

/* How a process that was asked for exact unexpected messages knows them. */
static json_t *json_unexpected_mode(const struct process *process)
{
    const char *reason = describe_inexact_reason(process);
    return json_pack("{s:s, s:o, s:o}", "origin", reason == NULL ? "exact" : "inferred", "as_of_s",
                     process->unexpected_as_of_s >= 0 ? json_seconds(process->unexpected_as_of_s) : json_null(),
                     "reason", json_text(reason));
}

static json_t *json_process(const struct process *process)
{
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:s}", "rank", json_number(process->rank), "pid",
                  process->pid > 0 ? json_integer(process->pid) : json_null(), "host", json_text(process->host),
                  "executable", json_text(process->executable), "state", describe_state(process->state));
    if (process->core != NULL)
        json_object_set_new(object, "core", json_text(process->core));
    json_object_set_new(object, "crash", json_crash(process));
    if (process->has_ended)
        json_object_set_new(object, "ended", json_true());
    json_object_set_new(object, "black_box_problem", json_text(describe_box_problem(process)));
    json_object_set_new(object, "exit_status",
                        process->exit_status > 0 ? json_integer((json_int_t)process->exit_status - 1) : json_null());
    json_object_set_new(object, "end", json_text(process->end));
    const bool was_read = process->reason == NULL;
    const bool was_looked_into = was_read && !process->is_identified_only;
    json_object_set_new(object, "thread_level", json_text(mpilens_thread_level_word((uint32_t)process->thread_level)));
    json_object_set_new(object, "untracked_operations",
                        was_looked_into ? json_integer((json_int_t)process->untracked_operations) : json_null());
    json_object_set_new(object, "untracked_objects",
                        was_read ? json_integer((json_int_t)process->untracked_objects) : json_null());
    json_object_set_new(object, "memory_bytes",
                        was_read ? json_integer((json_int_t)process->memory_bytes) : json_null());
    json_object_set_new(object, "torn_records",
                        was_looked_into ? json_integer((json_int_t)process->torn_records) : json_null());
    json_object_set_new(object, "runtime_version", json_text(process->runtime_version));
    if (process->synchronous_sends)
        json_object_set_new(object, "synchronous_sends", json_true());
    if (process->unexpected_mode != MPILENS_UNEXPECTED_INFERRED)
        json_object_set_new(object, "unexpected_messages", json_unexpected_mode(process));
    json_object_set_new(object, "kernel", json_kernel(process->kernel));
    return object;
}

/* Of a process without the runtime. */
static void write_seen_threads(struct json_stream *stream, const struct process *process)
{
    if (!process->lacks_tables)
        return;
    json_stream_open_array(stream, "seen_threads");
    for (size_t i = 0; i < process->seen_thread_count; i++) {
        const struct seen_thread *thread = &process->seen_threads[i];
        json_stream_add(stream, NULL,
                        json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:b}", "tid", (json_int_t)thread->tid, "function",
                                  json_text(thread->function), "arguments", json_text(thread->arguments), "called",
                                  json_text(thread->called), "activity",
                                  json_text(describe_activity((enum process_activity)thread->activity)), "site",
                                  json_site(thread->site, thread->address), "unchanged", (int)thread->is_unchanged));
    }
    json_stream_close(stream);
}

static json_t *json_given(bool is_given, int32_t value)
{
    return is_given ? json_integer(value) : json_null();
}

static json_t *json_failed_call(const struct failed_call *call)
{
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:i, s:o, s:b, s:I, s:o}", "function", json_text(call->function), "site",
                  json_site(call->site, call->site_address), "error_class", json_text(call->error_class), "error",
                  (int)call->error, "text", json_text(call->text), "returned", (int)call->is_returned, "times",
                  (json_int_t)call->count, "age_s", json_seconds(call->age_s));
    json_object_set_new(object, "communicator", json_unique_id(call->communicator_id));
    json_object_set_new(object, "collective", json_identifier(call->collective));
    json_object_set_new(object, "peer", json_given(call->has_peer && call->peer_local != -1, call->peer_local));
    json_object_set_new(object, "tag", json_given(call->has_tag && !call->tag_wild, call->tag));
    json_object_set_new(object, "root", json_given(call->has_root, call->root));
    json_object_set_new(object, "datatype", json_text(call->datatype));
    json_object_set_new(object, "elements", call->amount != -1 ? json_integer((json_int_t)call->amount) : json_null());
    json_object_set_new(object, "bytes", json_number(call->bytes));
    json_object_set_new(object, "started_by", json_text(call->request_function));
    json_object_set_new(object, "started_at", json_site(call->request_site, call->request_site_address));
    return object;
}

/* Writes at most `most` requests, and operations of each queue. */
static void write_contents(struct json_stream *stream, const struct process *process, size_t most)
{
    const struct json_members members = {.stream = stream};
    json_stream_open_array(stream, "requests");
    for (size_t i = 0; i < process->request_count && i < most; i++) {
        json_stream_open_object(stream, NULL);
        json_write_request(&members, &process->requests[i], process->requests[i].details->site);
        json_stream_close(stream);
    }
    json_stream_close(stream);
    if (process->request_count > most)
        json_member_integer(&members, "requests_left_out", (int64_t)(process->request_count - most));
    json_stream_open_array(stream, "objects");
    for (size_t i = 0; i < process->object_count; i++)
        if (!object_is_left(&process->objects[i]))
            json_stream_add(stream, NULL, json_application_object(&process->objects[i]));
    json_stream_close(stream);
    json_stream_add(stream, "attached_buffer",
                    process->buffer != 0 ? json_pack("{s:o, s:I}", "address", json_address(process->buffer), "bytes",
                                                     (json_int_t)process->buffer_bytes)
                                         : json_null());
    json_stream_open_array(stream, "failed_calls");
    for (size_t i = 0; i < process->failed_call_count; i++)
        json_stream_add(stream, NULL, json_failed_call(&process->failed_calls[i]));
    json_stream_close(stream);
    json_stream_open_array(stream, "threads");
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended)
            json_stream_add(stream, NULL, json_thread(process, &process->threads[i]));
    json_stream_close(stream);
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
        json_stream_add_members(stream, json_process(process));
        if (in_full == NULL || ranks_has(in_full, process->rank))
            write_contents(stream, process, in_full == NULL ? SIZE_MAX : MOST_OF_QUEUE);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}
