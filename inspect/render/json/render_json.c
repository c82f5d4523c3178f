/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model as JSON, schema mpilens/1: documents and jobs.
 */

#include "base/base.h"
#include "model/model.h"
#include "render/json/render_json_internal.h"
#include "text/text.h"

static void write_snapshot(struct json_stream *document, const struct job *job)
{
    if (!json_open_object_if(document, "snapshot", job->snapshot != NULL))
        return;
    json_stream_text(document, "file", job->snapshot);
    json_stream_identifier(document, "taken", (uint64_t)job->snapshot_taken);
    json_stream_close(document);
}

static void write_ranks_read(struct json_stream *document, const struct job *job, const struct rank_set *ranks)
{
    json_stream_open_array(document, "ranks_read");
    for (size_t i = 0; i < job->process_count; i++)
        if (rank_is_chosen(ranks, job->processes[i].rank) && job->processes[i].reason == NULL)
            json_stream_number(document, NULL, job->processes[i].rank);
    json_stream_close(document);
}

static void write_ranks_unread(struct json_stream *document, const struct job *job, const struct rank_set *ranks)
{
    json_stream_open_array(document, "ranks_unread");
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(ranks, process->rank) || process->reason == NULL)
            continue;
        json_stream_open_object(document, NULL);
        json_stream_number(document, "rank", process->rank);
        json_stream_any_text(document, "reason", process->reason);
        json_stream_close(document);
    }
    json_stream_close(document);
}

/* Ranks that are too many for a process each, as ranges. */
static void write_ranks_absent(struct json_stream *document, const struct job *job)
{
    json_stream_open_array(document, "ranks_absent");
    for (size_t i = 0; i < job->absent.count; i++) {
        json_stream_open_object(document, NULL);
        json_stream_integer(document, "first", job->absent.ranges[i].first);
        json_stream_integer(document, "last", job->absent.ranges[i].last);
        json_stream_any_text(document, "reason", job->absent_reason);
        json_stream_close(document);
    }
    json_stream_close(document);
}

static void write_parts(struct json_stream *document, const struct job *job)
{
    json_stream_open_array(document, "parts");
    for (size_t i = 0; i < job->part_count; i++) {
        const struct job_part *part = &job->parts[i];
        json_stream_open_object(document, NULL);
        json_stream_any_text(document, "name", part->name);
        json_stream_integer_if(document, "taken", part->taken > 0, part->taken);
        json_stream_integer(document, "ranks", (int64_t)part->ranks);
        json_stream_close(document);
    }
    json_stream_close(document);
}

static void write_notes(struct json_stream *document, const struct job *job)
{
    json_stream_open_array(document, "notes");
    for (size_t i = 0; i < job->note_count; i++)
        json_stream_any_text(document, NULL, job->notes[i]);
    json_stream_close(document);
}

static void write_job_members(struct json_stream *document, const struct job *job, const struct rank_set *ranks)
{
    json_write_job_members(document, job);
    write_ranks_read(document, job, ranks);
    write_ranks_unread(document, job, ranks);
    write_ranks_absent(document, job);
    write_snapshot(document, job);
    json_stream_text(document, "lost_records", describe_lost_records(job));
    write_parts(document, job);
    write_notes(document, job);
}

static void write_job(struct json_stream *document, const struct job *job, const struct rank_set *ranks)
{
    json_stream_open_object(document, "job");
    write_job_members(document, job, ranks);
    json_stream_close(document);
}

static void write_empty_array(struct json_stream *document, const char *name)
{
    json_stream_open_array(document, name);
    json_stream_close(document);
}

/* The culprits of one finding, and as many others. */
enum { MOST_CONCERNED = 64 };

static const struct ranks nobody = {.count = 0};

static void open_document(struct json_stream *document, FILE *stream, const char *verb, int samples, double interval_s)
{
    *document = (struct json_stream){.file = stream};
    json_stream_open_document(document, verb);
    json_stream_integer(document, "samples", samples);
    json_stream_seconds(document, "interval_s", interval_s);
}

static void write_job_and_processes(struct json_stream *document, const struct job *job,
                                    const struct render_options *options, const struct ranks *in_full)
{
    write_job(document, job, &options->ranks);
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
    write_job_and_processes(&document, job, options, options->queues == QUEUES_ALL ? NULL : &concerned);
    json_write_findings(&document, job, &analysis->findings);
    json_stream_text(&document, "remark", analysis->remark);
    return close_document(&document);
}

int render_leaks_json(FILE *stream, const struct job *job, const struct leaks *leaks, const struct findings *findings,
                      const struct render_options *options)
{
    struct json_stream document;
    open_document(&document, stream, "leaks", 1, -1);
    write_job_and_processes(&document, job, options, &nobody);
    json_write_findings(&document, job, findings);
    json_write_leaks(&document, leaks);
    return close_document(&document);
}

int render_history_json(FILE *stream, const struct job *job, const struct render_options *options)
{
    struct json_stream document;
    open_document(&document, stream, "history", 1, -1);
    write_job_and_processes(&document, job, options, &nobody);
    write_empty_array(&document, "findings");
    json_write_histories(&document, job, &options->ranks);
    return close_document(&document);
}

static int write_plain_document(FILE *stream, const char *verb, const struct job *job,
                                const struct render_options *options, const struct ranks *in_full)
{
    struct json_stream document;
    open_document(&document, stream, verb, 1, -1);
    write_job_and_processes(&document, job, options, in_full);
    write_empty_array(&document, "findings");
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
    write_job(document, job, &options->ranks);
    write_empty_array(document, "processes");
    write_empty_array(document, "findings");
}

static void write_handles(struct json_stream *document, const struct handle *handles, size_t count)
{
    if (count > 0)
        json_write_handle(document, "handle", &handles[0]);
    json_stream_open_array(document, "handles");
    for (size_t i = 0; i < count; i++)
        json_write_handle(document, NULL, &handles[i]);
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
static const char *list_reasons(const struct handle_question *question)
{
    const char *all = "";
    for (size_t i = 0; i < question->reason_count; i++)
        all = arena_text("%s%s%s", all, i > 0 ? "\n" : "", arena_take(valid_text(question->reasons[i].text)));
    return all;
}

static void write_answer(struct json_stream *document, const struct handle_question *question)
{
    json_stream_open_object(document, NULL);
    json_stream_any_text(document, "question", question->text);
    json_stream_integer(document, "line", (int64_t)question->line);
    json_stream_integer(document, "status", (int)question->status);
    if (question->count > 0)
        write_handles(document, question->handles, question->count);
    else
        json_stream_any_text(document, "failed", list_reasons(question));
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
        write_job_and_processes(&document, &jobs[0], options, &nobody);
    } else {
        json_stream_null(&document, "job");
        write_empty_array(&document, "processes");
    }
    write_empty_array(&document, "findings");
    json_stream_open_array(&document, "jobs");
    for (size_t i = 0; i < job_count; i++) {
        json_stream_open_object(&document, NULL);
        write_job_members(&document, &jobs[i], &options->ranks);
        json_write_processes(&document, &jobs[i], &options->ranks, &nobody);
        json_stream_close(&document);
    }
    json_stream_close(&document);
    return close_document(&document);
}
