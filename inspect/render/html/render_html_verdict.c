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
    fputs("<div class=\"scroll\" role=\"group\" aria-label=\"Evidence\" tabindex=\"0\"><table class=\"evidence\" "
          "role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">"
          "<th scope=\"col\">Ranks</th><th scope=\"col\">Evidence</th>"
          "<th scope=\"col\" class=\"number\">Age</th><th scope=\"col\">Place</th></tr></thead><tbody "
          "role=\"rowgroup\">\n",
          stream);
    for (size_t i = 0; i < finding->evidence.count; i++) {
        const struct evidence *evidence = &finding->evidence.items[i];
        const char *age = describe_age(evidence->age_s);
        fputs("<tr role=\"row\"><td role=\"cell\" data-label=\"Ranks\">", stream);
        html_write_ranks(stream, &evidence->ranks);
        fputs("</td><td role=\"cell\" data-label=\"Evidence\">", stream);
        html_write_text(stream, evidence->text);
        fputs("</td><td role=\"cell\" data-label=\"Age\" class=\"number\">", stream);
        html_write_text(stream, age);
        fputs("</td><td role=\"cell\" data-label=\"Place\" class=\"place\">", stream);
        html_write_text(stream, evidence->site);
        fputs("</td></tr>\n", stream);
    }
    fputs("</tbody></table></div>\n", stream);
    if (finding->evidence.left_out > 0)
        fprintf(stream, "<p class=\"faint\">and %zu more such lines</p>\n", finding->evidence.left_out);
}

/* A command, and a button that the script shows. */
static void write_command(FILE *stream, const char *command)
{
    fputs("<code>", stream);
    html_write_text(stream, command);
    fputs("</code> <button type=\"button\" class=\"copy\" hidden>Copy</button>", stream);
}

static void write_culprit(FILE *stream, const struct process *process, const struct culprit_step *next)
{
    fputs("<li>", stream);
    html_write_text(stream, describe_culprit(process));
    html_write_text(stream, next->before);
    if (next->command != NULL) {
        fputs(": ", stream);
        write_command(stream, next->command);
    }
    html_write_text(stream, next->after);
    fputs("</li>\n", stream);
}

static void write_culprits(FILE *stream, const struct job *job, const struct finding *finding,
                           const struct render_options *options)
{
    size_t count = 0;
    if (finding->culprits.count == 0)
        return;
    fputs(finding->culprits.count > 1 ? "<p>Culprits: " : "<p>Culprit: ", stream);
    html_write_ranks(stream, &finding->culprits);
    fputs("</p>\n<ul class=\"culprits\">\n", stream);
    for (size_t i = 0; i < finding->culprits.count && count < MOST_CULPRITS; i++) {
        const struct process *process = find_process(job, finding->culprits.items[i]);
        if (process == NULL || process->pid <= 0)
            continue;
        const struct culprit_step next = culprit_next_step(job, process, finding, options);
        write_culprit(stream, process, &next);
        count++;
    }
    fputs("</ul>\n", stream);
}

static void write_paragraphs(FILE *stream, const char *heading, const char *text)
{
    fprintf(stream, "<h4>%s</h4>\n", heading);
    for (const char *end; text[0] != '\0'; text = end + strspn(end, "\n")) {
        end = strstr(text, "\n\n");
        end = end != NULL ? end : text + strlen(text);
        fputs("<p>", stream);
        html_write_text(stream, arena_text("%.*s", (int)(end - text), text));
        fputs("</p>\n", stream);
    }
}

/* As `mpilens explain` does. */
static void write_meaning(FILE *stream, const struct finding_facts *facts)
{
    fprintf(stream, "<details class=\"meaning\"><summary>What %s means</summary>\n", facts->name);
    write_paragraphs(stream, "What it means", facts->meaning);
    fputs("<h4>Example</h4>\n<div class=\"scroll\" role=\"group\" aria-label=\"Example\" tabindex=\"0\"><pre>", stream);
    html_write_text(stream, facts->example);
    fputs("</pre></div>\n", stream);
    write_paragraphs(stream, "What to do", facts->remedy);
    write_paragraphs(stream, "MPI standard (4.1)", facts->standard);
    fputs("</details>\n", stream);
}

struct verdict_page {
    const struct job *job;
    const struct render_options *options;
    struct source_view *view;
    bool is_explained[FINDING_KIND_COUNT];
};

static void write_finding(FILE *stream, struct verdict_page *page, const struct finding *finding, size_t number)
{
    const char *certainty = finding->confirmed ? "confirmed: none of these ranks made progress while observed"
                                               : "not confirmed: ranks of it may have gone on";
    struct ranks concerned = {.count = 0};
    ranks_add_all(&concerned, &finding->ranks);
    ranks_add_all(&concerned, &finding->culprits);
    ranks_finish(&concerned);
    fprintf(stream, "<article class=\"finding\" id=\"finding-%zu\"", number);
    html_write_ranks_attribute(stream, &concerned);
    fprintf(stream, "><h3><a href=\"#finding-%zu\">%s</a> <small>%s</small></h3>\n", number,
            finding_kind_name(finding->kind), certainty);
    write_message(stream, finding->message);
    if (finding->remedy != NULL) {
        fputs("<p class=\"remedy\">Remedy: ", stream);
        html_write_text(stream, finding->remedy);
        fputs("</p>\n", stream);
    }
    write_culprits(stream, page->job, finding, page->options);
    html_write_paths(stream, page->job, finding);
    html_write_source(stream, page->view, finding);
    /* Long evidence is there when it is wanted. */
    const bool is_long = finding->evidence.count > 12;
    if (is_long)
        fprintf(stream, "<details><summary>Evidence: %zu lines</summary>\n", finding->evidence.count);
    write_evidence(stream, finding);
    fputs(is_long ? "</details>\n" : "", stream);
    if (!page->is_explained[finding->kind])
        write_meaning(stream, finding_kind_facts(finding->kind));
    page->is_explained[finding->kind] = true;
    fputs("</article>\n", stream);
}

/* To read the job again, and for a ticket. */
static void write_tools(FILE *stream, const struct render_options *options)
{
    fputs("<p class=\"tools\">", stream);
    write_command(stream, arena_text("mpilens why%s%s", options->target != NULL ? " " : "",
                                     options->target != NULL ? options->target : ""));
    fputs(" <button type=\"button\" id=\"markdown\" hidden>Copy the verdict as Markdown</button></p>\n", stream);
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
    fprintf(stream, "<p>Without the mpilens runtime, only the call stacks are known of %s. Next time: ", ranks);
    write_command(stream, start);
    fputs("</p>\n", stream);
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
    struct verdict_page page = {.job = job, .options = options, .view = source_view_begin(job, &options->source)};
    for (size_t i = 0; i < analysis->findings.count; i++)
        write_finding(stream, &page, &analysis->findings.items[i], i + 1);
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
    write_tools(stream, options);
}
