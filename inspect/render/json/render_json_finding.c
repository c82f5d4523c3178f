/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings in JSON: FINDING of the schema mpilens/1.
 */
#include "render/json/render_json_internal.h"

static void write_ranks(struct json_stream *stream, const char *name, const struct ranks *ranks)
{
    json_stream_open_array(stream, name);
    for (size_t i = 0; i < ranks->count; i++)
        json_stream_integer(stream, NULL, ranks->items[i]);
    json_stream_close(stream);
}

static void write_evidence(struct json_stream *stream, const struct evidence *evidence)
{
    const bool has_ranks = evidence->ranks.count > 0;
    const struct site *place = &evidence->place.site;
    json_stream_open_object(stream, NULL);
    json_stream_integer_if(stream, "rank", has_ranks, has_ranks ? evidence->ranks.items[0] : -1);
    json_stream_identifier(stream, "serial", evidence->serial);
    write_ranks(stream, "ranks", &evidence->ranks);
    json_stream_any_text(stream, "text", evidence->text);
    json_stream_text(stream, "site", evidence->site);
    json_stream_text(stream, "path", place->path);
    json_stream_integer_if(stream, "line", place->line > 0, place->line);
    json_stream_text(stream, "function", place->function);
    json_stream_seconds(stream, "age_s", evidence->age_s);
    json_stream_close(stream);
}

static void write_finding(struct json_stream *stream, const struct job *job, const struct finding *finding)
{
    json_stream_open_object(stream, NULL);
    json_stream_text(stream, "kind", finding_kind_name(finding->kind));
    write_ranks(stream, "ranks", &finding->ranks);
    write_ranks(stream, "culprits", &finding->culprits);
    json_stream_open_array(stream, "culprit_pids");
    for (size_t i = 0; i < finding->culprits.count; i++) {
        const struct process *process = find_process(job, finding->culprits.items[i]);
        const int pid = process != NULL ? process->pid : 0;
        json_stream_integer_if(stream, NULL, pid > 0, pid);
    }
    json_stream_close(stream);
    json_stream_boolean(stream, "confirmed", finding->confirmed);
    json_stream_any_text(stream, "message", finding->message);
    json_stream_text(stream, "remedy", finding->remedy);
    json_stream_open_array(stream, "evidence");
    for (size_t i = 0; i < finding->evidence.count; i++)
        write_evidence(stream, &finding->evidence.items[i]);
    json_stream_close(stream);
    json_stream_close(stream);
}

void json_write_findings(struct json_stream *stream, const struct job *job, const struct findings *findings)
{
    json_stream_open_array(stream, "findings");
    for (size_t i = 0; i < findings->count; i++)
        write_finding(stream, job, &findings->items[i]);
    json_stream_close(stream);
}
