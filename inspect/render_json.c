/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model as JSON, schema mpilens/1: documents, jobs, processes and threads. Operations and communicators are in
 * render_json_communicator.c.
 */
#include "render_json.h"

#include "allocation.h"
#include "handle_json.h"
#include "handle_render.h"
#include "render_leaks.h"
#include "render_why.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

json_t *json_text(const char *text)
{
    json_t *value = text != NULL && text[0] != '\0' ? json_string(text) : NULL;
    return value != NULL ? value : json_null(); /* also what is not UTF-8 */
}

json_t *json_address(uint64_t address)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, address);
    return address != 0 ? json_string(text) : json_null();
}

json_t *json_number(int64_t number)
{
    return number >= 0 ? json_integer(number) : json_null();
}

json_t *json_identifier(uint64_t number)
{
    return number != 0 ? json_integer((json_int_t)number) : json_null();
}

json_t *json_tag(bool wild, int32_t tag)
{
    return wild ? json_null() : json_integer(tag);
}

json_t *json_seconds(double seconds)
{
    return seconds >= 0 ? json_real(round(seconds * 1e6) / 1e6) : json_null();
}

json_t *json_site(const struct site *site, uint64_t address)
{
    if (address == 0)
        return json_null();
    static const struct site unknown = {0};
    const struct site *known = site != NULL ? site : &unknown;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "address", json_address(address), "module",
                     json_text(known->module), "function", json_text(known->function), "file", json_text(known->file),
                     "line", known->line > 0 ? json_integer(known->line) : json_null(), "path", json_text(known->path));
}

static json_t *json_call(const struct process *process, const struct thread *thread)
{
    if (thread->function[0] == '\0')
        return json_null();
    json_t *operations = json_array();
    for (size_t i = 0; i < thread->waiting_known; i++)
        json_array_append_new(operations, json_integer((json_int_t)thread->waiting[i]));
    json_t *call = json_pack("{s:s, s:o, s:b, s:o, s:o}", "function", thread->function, "age_s",
                             json_seconds(thread->age_s), "polling", (int)thread->polling, "site",
                             json_site(thread->site, thread->site_address), "operations", operations);
    const bool is_window_call = thread->object_kind == MPILENS_OBJECT_WINDOW && thread->peer_local >= 0;
    json_object_set_new(call, "object",
                        json_object_reference(process, thread->object_kind, thread->object_serial, true));
    json_object_set_new(call, "target",
                        is_window_call ? json_peer(thread->peer_local, thread->peer_world) : json_null());
    if (thread->lock_type != 0)
        json_object_set_new(call, "lock", json_string(describe_lock(thread->lock_type)));
    if (thread->communicator_id != 0)
        json_object_set_new(call, "communicator", json_integer((json_int_t)thread->communicator_id));
    if (thread->polling)
        json_object_set_new(call, "polls", json_integer((json_int_t)thread->polls));
    if (thread->call_class == MPILENS_CALL_PROBE || thread->call_class == MPILENS_CALL_IPROBE) {
        json_object_set_new(call, "peer", json_peer(thread->peer_local, thread->peer_world));
        json_object_set_new(call, "tag", json_tag(thread->tag_wild, thread->tag));
    }
    return call;
}

static json_t *json_threads(const struct process *process)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (!thread->ended)
            json_array_append_new(threads, json_pack("{s:o, s:o, s:I}", "tid", json_number((int64_t)thread->tid),
                                                     "call", json_call(process, thread), "completions",
                                                     (json_int_t)thread->completions));
    }
    return threads;
}

static json_t *json_thread_level(int level)
{
    static const char *const names[] = {"single", "funneled", "serialized", "multiple"};
    return level >= 0 && level < 4 ? json_string(names[level]) : json_null();
}

static json_t *json_process(const struct process *process, bool in_full)
{
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:s}", "rank", json_number(process->rank), "pid",
                  process->pid > 0 ? json_integer(process->pid) : json_null(), "host", json_text(process->host),
                  "executable", json_text(process->executable), "state", describe_state(process->state));
    if (process->core != NULL)
        json_object_set_new(object, "core", json_text(process->core));
    const bool was_read = process->reason == NULL;
    json_object_set_new(object, "thread_level", json_thread_level(process->thread_level));
    json_object_set_new(object, "untracked_operations",
                        was_read ? json_integer((json_int_t)process->untracked_operations) : json_null());
    json_object_set_new(object, "untracked_objects",
                        was_read ? json_integer((json_int_t)process->untracked_objects) : json_null());
    json_object_set_new(object, "memory_bytes",
                        was_read ? json_integer((json_int_t)process->memory_bytes) : json_null());
    json_object_set_new(object, "torn_records",
                        was_read ? json_integer((json_int_t)process->torn_records) : json_null());
    json_object_set_new(object, "runtime_version", json_text(process->runtime_version));
    if (!in_full)
        return object;
    json_t *communicators = json_array();
    for (size_t i = 0; i < process->communicator_count; i++)
        json_array_append_new(communicators, json_communicator(&process->communicators[i]));
    json_t *requests = json_array();
    for (size_t i = 0; i < process->request_count; i++)
        json_array_append_new(requests, json_request(process, &process->requests[i]));
    json_t *objects = json_array();
    for (size_t i = 0; i < process->object_count; i++)
        json_array_append_new(objects, json_application_object(&process->objects[i]));
    json_object_set_new(object, "requests", requests);
    json_object_set_new(object, "objects", objects);
    json_object_set_new(object, "attached_buffer",
                        process->buffer != 0 ? json_pack("{s:o, s:I}", "address", json_address(process->buffer),
                                                         "bytes", (json_int_t)process->buffer_bytes)
                                             : json_null());
    json_object_set_new(object, "threads", json_threads(process));
    json_object_set_new(object, "communicators", communicators);
    return object;
}

static json_t *json_processes(const struct job *job, const struct rank_set *ranks, bool in_full)
{
    json_t *processes = json_array();
    for (size_t i = 0; i < job->process_count; i++)
        if (rank_set_contains(ranks, job->processes[i].rank))
            json_array_append_new(processes, json_process(&job->processes[i], in_full));
    return processes;
}

static json_t *json_snapshot(const struct job *job)
{
    return job->snapshot != NULL ? json_pack("{s:o, s:o}", "file", json_text(job->snapshot), "taken",
                                             json_identifier((uint64_t)job->snapshot_taken))
                                 : json_null();
}

static json_t *json_job(const struct job *job, const struct rank_set *ranks)
{
    json_t *read = json_array(), *unread = json_array();
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_set_contains(ranks, process->rank))
            continue;
        if (process->reason == NULL)
            json_array_append_new(read, json_number(process->rank));
        else
            json_array_append_new(
                unread, json_pack("{s:o, s:s}", "rank", json_number(process->rank), "reason", process->reason));
    }
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", json_text(job->id), "identity", json_text(job->identity),
        "size", job->size > 0 ? json_integer(job->size) : json_null(), "mpi", json_text(job->mpi), "launcher_pid",
        job->launcher_pid > 0 ? json_integer(job->launcher_pid) : json_null(), "launcher", json_text(job->launcher),
        "ranks_read", read, "ranks_unread", unread, "snapshot", json_snapshot(job));
}

static json_t *json_document(const char *verb, json_t *job, json_t *processes)
{
    return json_pack("{s:s, s:s, s:i, s:n, s:o, s:o, s:[]}", "schema", "mpilens/1", "verb", verb, "samples", 1,
                     "interval_s", "job", job, "processes", processes, "findings");
}

/* Takes the document. */
static int write_document(FILE *stream, json_t *document)
{
    int result = document != NULL ? json_dumpf(document, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) : -1;
    json_decref(document);
    if (result == 0 && (fputc('\n', stream) == EOF || fflush(stream) != 0))
        result = -1;
    return result;
}

int render_why_json(FILE *stream, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options)
{
    json_t *document = json_document("why", json_job(job, &options->ranks), json_processes(job, &options->ranks, true));
    json_object_set_new(document, "samples", json_integer(job->samples));
    json_object_set_new(document, "interval_s", job->interval_s >= 0 ? json_real(job->interval_s) : json_null());
    json_object_set_new(document, "findings", json_findings(&analysis->findings));
    json_object_set_new(document, "remark", json_text(analysis->remark));
    return write_document(stream, document);
}

int render_leaks_json(FILE *stream, const struct job *job, const struct leaks *leaks, const struct findings *findings,
                      const struct render_options *options)
{
    json_t *document =
        json_document("leaks", json_job(job, &options->ranks), json_processes(job, &options->ranks, false));
    json_object_set_new(document, "findings", json_findings(findings));
    json_object_set_new(document, "leaks", json_leaks(leaks));
    return write_document(stream, document);
}

int render_show_json(FILE *stream, const struct job *job, const struct render_options *options)
{
    return write_document(
        stream, json_document("show", json_job(job, &options->ranks), json_processes(job, &options->ranks, true)));
}

int render_snapshot_json(FILE *stream, const struct job *job, const struct render_options *options)
{
    return write_document(
        stream, json_document("snapshot", json_job(job, &options->ranks), json_processes(job, &options->ranks, false)));
}

int render_handles_json(FILE *stream, const struct job *job, const struct handle *handles, size_t count,
                        const struct render_options *options)
{
    json_t *document = json_document("handle", json_job(job, &options->ranks), json_array());
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_handle(&handles[i]));
    json_object_set(document, "handle", json_array_get(list, 0));
    json_object_set_new(document, "handles", list);
    return write_document(stream, document);
}

/* Several jobs do not fit into "job" and "processes"; "jobs" has them all. */
int render_list_json(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options)
{
    const bool one = job_count == 1;
    json_t *document = json_document("list", one ? json_job(&jobs[0], &options->ranks) : json_null(),
                                     one ? json_processes(&jobs[0], &options->ranks, false) : json_array());
    json_t *list = json_array();
    for (size_t i = 0; i < job_count; i++) {
        json_t *job = json_job(&jobs[i], &options->ranks);
        json_object_set_new(job, "processes", json_processes(&jobs[i], &options->ranks, false));
        json_array_append_new(list, job);
    }
    json_object_set_new(document, "jobs", list);
    return write_document(stream, document);
}
