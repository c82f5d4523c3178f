/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes what the page is about: the job, when and how it was read, and by which mpilens.
 */
#include "render/html/render_html_internal.h"

#include "base/base.h"
#include "model/model.h"

#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Hosts and parts that are named. */
enum { MOST_NAMED = 8 };

static void write_fact(FILE *stream, const char *name, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return;
    fprintf(stream, "<div><dt>%s</dt><dd>", name);
    html_write_text(stream, text);
    fputs("</dd></div>\n", stream);
}

static const char *describe_moment(int64_t seconds)
{
    const time_t moment = (time_t)seconds;
    struct tm local;
    char text[64];
    if (seconds <= 0 || localtime_r(&moment, &local) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", &local) == 0)
        return NULL;
    return arena_copy(text);
}

static const char *describe_hosts(const struct job *job)
{
    struct rank_texts hosts = {.count = 0};
    FILE *stream = arena_open();
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].host != NULL)
            rank_texts_add(&hosts, job->processes[i].host);
    for (size_t i = 0; i < hosts.count && i < MOST_NAMED; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", hosts.items[i]->text);
    if (hosts.count > MOST_NAMED)
        fprintf(stream, " and %zu more", hosts.count - MOST_NAMED);
    return arena_close(stream);
}

static const struct process *first_read(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason == NULL)
            return &job->processes[i];
    return job->process_count > 0 ? &job->processes[0] : NULL;
}

static const char *describe_source(const struct job *job)
{
    const struct process *process = first_read(job);
    if (job->part_count > 0) {
        FILE *parts = arena_open();
        for (size_t i = 0; i < job->part_count && i < MOST_NAMED; i++)
            fprintf(parts, "%s%s", i > 0 ? ", " : "", job->parts[i].name);
        if (job->part_count > MOST_NAMED)
            fprintf(parts, " and %zu more", job->part_count - MOST_NAMED);
        return arena_text("in %zu parts: %s", job->part_count, arena_close(parts));
    }
    if (job->snapshot != NULL)
        return arena_text("from the snapshot %s", job->snapshot);
    if (process != NULL && process->core != NULL)
        return "from core files";
    if (process != NULL && process->has_ended)
        return "from black boxes, after its end";
    return "from the running processes";
}

static const char *describe_reading(const struct job *job)
{
    const char *source = describe_source(job);
    if (job->samples < 2 || job->interval_s < 0)
        return arena_text("%s, once", source);
    return arena_text("%s, %d times, %.2g s apart", source, job->samples, job->interval_s);
}

static const char *describe_ranks(const struct job *job)
{
    const int size = job->size > 0 ? job->size : (int)job->process_count;
    size_t read = 0;
    for (size_t i = 0; i < job->process_count; i++)
        read += job->processes[i].reason == NULL;
    return read == (size_t)size ? arena_text("%d", size) : arena_text("%d, of which %zu were read", size, read);
}

static const char *describe_writer(void)
{
    char host[HOST_NAME_MAX + 1] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    return arena_text("mpilens " MPILENS_VERSION "%s%s", host[0] != '\0' ? " on " : "", host);
}

void html_write_facts(FILE *stream, const struct job *job, const struct render_options *options)
{
    const struct process *process = first_read(job);
    fputs("<dl class=\"facts\">\n", stream);
    write_fact(stream, "As of", describe_moment(job->snapshot_taken > 0 ? job->snapshot_taken : (int64_t)time(NULL)));
    if (options->again_s > 0)
        fprintf(stream, "<div><dt>Next</dt><dd id=\"next\">in %g s</dd></div>\n", options->again_s);
    write_fact(stream, "Program", job->command != NULL ? job->command : process != NULL ? process->executable : NULL);
    write_fact(stream, "Ranks", describe_ranks(job));
    write_fact(stream, "Hosts", describe_hosts(job));
    write_fact(stream, "User", job->user);
    write_fact(stream, "MPI", job->mpi);
    write_fact(stream, "Started", describe_moment(job->started));
    write_fact(stream, "Read", describe_reading(job));
    write_fact(stream, "By", describe_writer());
    fputs("</dl>\n", stream);
}
