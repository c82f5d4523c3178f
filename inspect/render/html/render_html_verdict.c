/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the findings into the page.
 */
#include "render/html/render_html_internal.h"

#include "base/base.h"
#include "model/model.h"
#include "render/text/render_text.h"
#include "text/text.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

/* Ranks that were not read and are named. */
enum { MOST_UNREAD = 20 };

/* Where the clause ends that begins here: behind a colon or semicolon outside of all parentheses, or at the end. */
static const char *clause_end(const char *text)
{
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0 && (*at == ':' || *at == ';') && at[1] == ' ')
            return at + 2;
    }
    return text + strlen(text);
}

/* The fault comes first; each further clause has a line of its own. */
static void write_message(FILE *stream, const char *message)
{
    const char *element = "strong";
    fputs("<p class=\"message\">", stream);
    for (const char *at = message; *at != '\0';) {
        const char *end = clause_end(at);
        const char *clause = arena_text("%.*s", (int)(end - at), at);
        fprintf(stream, "<%s>", element);
        html_write_text(stream, clause);
        fprintf(stream, "</%s>", element);
        element = "span";
        at = end;
    }
    fputs("</p>\n", stream);
}

static void write_evidence(FILE *stream, const struct finding *finding)
{
    if (finding->evidence.count == 0)
        return;
    fputs("<div class=\"scroll\" role=\"group\" aria-label=\"Evidence\" tabindex=\"0\"><table><thead><tr>"
          "<th scope=\"col\">Ranks</th><th scope=\"col\">Evidence</th>"
          "<th scope=\"col\" class=\"number\">Age</th><th scope=\"col\">Place</th></tr></thead><tbody>\n",
          stream);
    for (size_t i = 0; i < finding->evidence.count; i++) {
        const struct evidence *evidence = &finding->evidence.items[i];
        const char *age = describe_age(evidence->age_s);
        fputs("<tr><td>", stream);
        html_write_ranks(stream, &evidence->ranks);
        fputs("</td><td>", stream);
        html_write_text(stream, evidence->text);
        fputs("</td><td class=\"number\">", stream);
        html_write_text(stream, age);
        fputs("</td><td class=\"place\">", stream);
        html_write_text(stream, evidence->site);
        fputs("</td></tr>\n", stream);
    }
    fputs("</tbody></table></div>\n", stream);
    if (finding->evidence.left_out > 0)
        fprintf(stream, "<p class=\"faint\">and %zu more such lines</p>\n", finding->evidence.left_out);
}

static void write_culprits(FILE *stream, const struct finding *finding)
{
    if (finding->culprits.count == 0)
        return;
    fputs(finding->culprits.count > 1 ? "<p>Culprits: " : "<p>Culprit: ", stream);
    html_write_ranks(stream, &finding->culprits);
    fputs("</p>\n", stream);
}

static void write_finding(FILE *stream, const struct job *job, struct source_view *view, const struct finding *finding)
{
    const char *certainty = finding->confirmed ? "confirmed: none of these ranks made progress while observed"
                                               : "not confirmed: ranks of it may have gone on";
    fprintf(stream, "<article class=\"finding\"><h3>%s <small>%s</small></h3>\n", finding_kind_name(finding->kind),
            certainty);
    write_message(stream, finding->message);
    if (finding->remedy != NULL) {
        fputs("<p class=\"remedy\">Remedy: ", stream);
        html_write_text(stream, finding->remedy);
        fputs("</p>\n", stream);
    }
    write_culprits(stream, finding);
    html_write_paths(stream, job, finding);
    html_write_source(stream, view, finding);
    /* Long evidence is there when it is wanted. */
    const bool is_long = finding->evidence.count > 12;
    if (is_long)
        fprintf(stream, "<details><summary>Evidence: %zu lines</summary>\n", finding->evidence.count);
    write_evidence(stream, finding);
    fputs(is_long ? "</details></article>\n" : "</article>\n", stream);
}

static void write_unread(FILE *stream, const struct job *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->state != PROCESS_UNREADABLE || process->reason == NULL || process_was_seen(process) ||
            ++count > MOST_UNREAD)
            continue;
        fprintf(stream, "<p>Rank %d was not read, so nothing is known about it: ", process->rank);
        html_write_text(stream, process->reason);
        fputs("</p>\n", stream);
    }
    if (count > MOST_UNREAD)
        fprintf(stream, "<p>%zu more ranks were not read.</p>\n", count - MOST_UNREAD);
    if (job->absent.count > 0) {
        const char *ranks = format_rank_set(&job->absent);
        fprintf(stream, "<p>Ranks %s were not read, so nothing is known about them: ", ranks);
        html_write_text(stream, job->absent_reason);
        fputs("</p>\n", stream);
    }
}

static void write_seen(FILE *stream, const struct job *job)
{
    static const struct rank_set all = {.count = 0};
    const char *ranks = name_seen_ranks(job, &all);
    if (ranks == NULL)
        return;
    const char *start = describe_prepared_start(job);
    fprintf(stream, "<p>Without the mpilens runtime, only the call stacks are known of %s. Next time: <code>", ranks);
    html_write_text(stream, start);
    fputs("</code></p>\n", stream);
}

static void write_lost_records(FILE *stream, const struct job *job)
{
    const char *text = describe_lost_records(job);
    if (text != NULL)
        fprintf(stream, "<p>Not all is known: %s.</p>\n", text);
}

void html_write_verdict(FILE *stream, const struct job *job, const struct analysis *analysis,
                        const struct render_options *options)
{
    struct source_view *view = source_view_begin(job, &options->source);
    for (size_t i = 0; i < analysis->findings.count; i++)
        write_finding(stream, job, view, &analysis->findings.items[i]);
    source_view_end(view);
    if (analysis->findings.count == 0) {
        fprintf(stream, "<article class=\"finding good\"><h3>%s</h3>\n",
                has_seen_ranks(job) ? "Nothing can be said for certain" : "Nothing wrong found");
        write_message(stream,
                      analysis->remark != NULL ? analysis->remark : "No rank waits for something that can never come");
        fputs("</article>\n", stream);
    }
    write_seen(stream, job);
    write_unread(stream, job);
    write_lost_records(stream, job);
}
