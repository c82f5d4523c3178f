/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model as JSON, schema mpilens/1: documents and jobs.
 */

#include "base/base.h"
#include "model/model.h"
#include "render/json/json_values.h"
#include "render/json/render_json_internal.h"
#include "text/text.h"

static json_t *json_snapshot(const struct job *job)
{
    return job->snapshot != NULL ? json_pack("{s:o, s:o}", "file", json_text(job->snapshot), "taken",
                                             json_identifier((uint64_t)job->snapshot_taken))
                                 : json_null();
}

/* Ranks that are too many for a process each, as ranges. */
static json_t *json_absent(const struct job *job)
{
    json_t *ranges = json_array();
    for (size_t i = 0; i < job->absent.count; i++)
        json_array_append_new(ranges,
                              json_pack("{s:i, s:i, s:o}", "first", job->absent.ranges[i].first, "last",
                                        job->absent.ranges[i].last, "reason", json_any_text(job->absent_reason)));
    return ranges;
}

static json_t *json_parts(const struct job *job)
{
    json_t *parts = json_array();
    for (size_t i = 0; i < job->part_count; i++) {
        const struct job_part *part = &job->parts[i];
        json_array_append_new(parts, json_pack("{s:o, s:o, s:o}", "name", json_any_text(part->name), "taken",
                                               part->taken > 0 ? json_integer(part->taken) : json_null(), "ranks",
                                               json_integer((json_int_t)part->ranks)));
    }
    return parts;
}

static json_t *json_notes(const struct job *job)
{
    json_t *notes = json_array();
    for (size_t i = 0; i < job->note_count; i++)
        json_array_append_new(notes, json_any_text(job->notes[i]));
    return notes;
}

static json_t *json_lost_records(const struct job *job)
{
    const char *text = describe_lost_records(job);
    json_t *value = json_text(text);
    return value;
}

/* Of one finding, its culprits and others. */
enum { MOST_CONCERNED = 64 };

static const struct ranks nobody = {.count = 0};

static json_t *json_job(const struct job *job, const struct rank_set *ranks)
{
    json_t *read = json_array(), *unread = json_array();
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(ranks, process->rank))
            continue;
        if (process->reason == NULL)
            json_array_append_new(read, json_number(process->rank));
        else
            json_array_append_new(unread, json_pack("{s:o, s:o}", "rank", json_number(process->rank), "reason",
                                                    json_any_text(process->reason)));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id",
                     json_text(job->id), "identity", json_text(job->identity), "size",
                     job->size > 0 ? json_integer(job->size) : json_null(), "mpi", json_text(job->mpi), "launcher_pid",
                     job->launcher_pid > 0 ? json_integer(job->launcher_pid) : json_null(), "launcher",
                     json_text(job->launcher), "user", json_text(job->user), "command", json_text(job->command),
                     "started", job->started > 0 ? json_integer(job->started) : json_null(), "ranks_read", read,
                     "ranks_unread", unread, "ranks_absent", json_absent(job), "snapshot", json_snapshot(job),
                     "launch_problem", json_text(job->launch_problem), "lost_records", json_lost_records(job), "parts",
                     json_parts(job), "notes", json_notes(job));
}

static void open_document(struct json_stream *document, FILE *stream, const char *verb, int samples, double interval_s)
{
    *document = (struct json_stream){.file = stream};
    json_stream_open_object(document, NULL);
    json_stream_add_members(document,
                            json_pack("{s:s, s:s, s:i, s:o}", "schema", "mpilens/1", "verb", verb, "samples", samples,
                                      "interval_s", interval_s >= 0 ? json_real(interval_s) : json_null()));
}

static void write_job(struct json_stream *document, const struct job *job, const struct render_options *options,
                      const struct ranks *in_full)
{
    json_stream_add(document, "job", json_job(job, &options->ranks));
    json_write_processes(document, job, &options->ranks, in_full);
}

/* 0, or -1 and errno. */
static int close_document(struct json_stream *document)
{
    json_stream_close(document);
    return json_stream_finish(document);
}

static void add_first(struct ranks *ranks, const struct ranks *others)
{
    for (size_t i = 0; i < others->count && i < MOST_CONCERNED; i++)
        ranks_add(ranks, others->items[i]);
}

static struct ranks find_concerned(const struct findings *findings, enum shown_queues queues)
{
    struct ranks concerned = {.count = 0};
    for (size_t i = 0; i < findings->count && queues == QUEUES_CONCERNED; i++) {
        add_first(&concerned, &findings->items[i].culprits);
        add_first(&concerned, &findings->items[i].ranks);
    }
    ranks_finish(&concerned);
    return concerned;
}

int render_why_json(FILE *stream, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options)
{
    struct json_stream document;
    open_document(&document, stream, "why", job->samples, job->interval_s);
    struct ranks concerned = find_concerned(&analysis->findings, options->queues);
    write_job(&document, job, options, options->queues == QUEUES_ALL ? NULL : &concerned);
    ranks_clear(&concerned);
    json_write_findings(&document, job, &analysis->findings);
    json_stream_add(&document, "remark", json_text(analysis->remark));
    return close_document(&document);
}

int render_leaks_json(FILE *stream, const struct job *job, const struct leaks *leaks, const struct findings *findings,
                      const struct render_options *options)
{
    struct json_stream document;
    open_document(&document, stream, "leaks", 1, -1);
    write_job(&document, job, options, &nobody);
    json_write_findings(&document, job, findings);
    json_write_leaks(&document, leaks);
    return close_document(&document);
}

static int write_plain_document(FILE *stream, const char *verb, const struct job *job,
                                const struct render_options *options, const struct ranks *in_full)
{
    struct json_stream document;
    open_document(&document, stream, verb, 1, -1);
    write_job(&document, job, options, in_full);
    json_stream_add(&document, "findings", json_array());
    return close_document(&document);
}

int render_show_json(FILE *stream, const struct job *job, const struct render_options *options)
{
    return write_plain_document(stream, "show", job, options, NULL);
}

int render_snapshot_json(FILE *stream, const struct job *job, const struct render_options *options)
{
    return write_plain_document(stream, "snapshot", job, options, &nobody);
}

static void open_handle_document(struct json_stream *document, FILE *stream, const struct job *job,
                                 const struct render_options *options)
{
    open_document(document, stream, "handle", 1, -1);
    json_stream_add(document, "job", json_job(job, &options->ranks));
    json_stream_add(document, "processes", json_array());
    json_stream_add(document, "findings", json_array());
}

static void write_handles(struct json_stream *document, const struct handle *handles, size_t count)
{
    if (count > 0)
        json_stream_add(document, "handle", json_handle(&handles[0]));
    json_stream_open_array(document, "handles");
    for (size_t i = 0; i < count; i++)
        json_stream_add(document, NULL, json_handle(&handles[i]));
    json_stream_close(document);
}

int render_handles_json(FILE *stream, const struct job *job, const struct handle *handles, size_t count,
                        const struct render_options *options)
{
    struct json_stream document;
    open_handle_document(&document, stream, job, options);
    write_handles(&document, handles, count);
    return close_document(&document);
}

/* A line for each of the reasons. */
static json_t *json_reasons(const struct handle_question *question)
{
    const char *all = "";
    for (size_t i = 0; i < question->reason_count; i++) {
        const char *before = all;
        all = arena_text("%s%s%s", before, i > 0 ? "\n" : "", arena_take(valid_text(question->reasons[i].text)));
    }
    json_t *result = json_string(all);
    return result;
}

static void write_answer(struct json_stream *document, const struct handle_question *question)
{
    json_stream_open_object(document, NULL);
    json_stream_add_members(document, json_pack("{s:s, s:I, s:i}", "question", question->text, "line",
                                                (json_int_t)question->line, "status", (int)question->status));
    if (question->count > 0)
        write_handles(document, question->handles, question->count);
    else
        json_stream_add(document, "failed", json_reasons(question));
    json_stream_close(document);
}

int render_answers_json(FILE *stream, const struct job *job, const struct handle_questions *questions,
                        const struct render_options *options)
{
    struct json_stream document;
    open_handle_document(&document, stream, job, options);
    json_stream_open_array(&document, "answers");
    for (size_t i = 0; i < questions->count; i++)
        write_answer(&document, &questions->items[i]);
    json_stream_close(&document);
    return close_document(&document);
}

/* Several jobs do not fit into "job" and "processes"; "jobs" has them all. */
int render_list_json(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options)
{
    struct json_stream document;
    open_document(&document, stream, "list", 1, -1);
    if (job_count == 1) {
        write_job(&document, &jobs[0], options, &nobody);
    } else {
        json_stream_add(&document, "job", json_null());
        json_stream_add(&document, "processes", json_array());
    }
    json_stream_add(&document, "findings", json_array());
    json_stream_open_array(&document, "jobs");
    for (size_t i = 0; i < job_count; i++) {
        json_stream_open_object(&document, NULL);
        json_stream_add_members(&document, json_job(&jobs[i], &options->ranks));
        json_write_processes(&document, &jobs[i], &options->ranks, &nobody);
        json_stream_close(&document);
    }
    json_stream_close(&document);
    return close_document(&document);
}
