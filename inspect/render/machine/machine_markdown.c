/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Markdown (CommonMark with GitHub's tables), for tickets and the summaries of CI. Texts of the program stand there
 * literally: they make no markup, notify nobody and refer to no issue.
 */
#include "render/machine/machine_internal.h"

#include "source/source.h"
#include "text/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* More are a report of their own, and GitHub takes a megabyte. */
enum { MOST_FINDINGS = 20, MOST_ROWS = 30, CONTEXT_LINES = 2 };

/* Whether the underscore stands within a word, where it means nothing: "MPI_Recv". */
static bool is_in_word(const char *text, const char *at)
{
    return at > text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
}

static void write_prose(FILE *stream, const char *text)
{
    static const char marks[] = "\\`*[]<>|~&$!";
    char *valid = valid_text(text);
    for (const char *at = valid; *at != '\0'; at++) {
        const bool is_link = *at == ':' && at[1] == '/';
        const bool is_mark = strchr(marks, *at) != NULL || (*at == '_' && !is_in_word(valid, at));
        if (is_mark || is_link)
            fputc('\\', stream);
        fputc(*at, stream);
        if (*at == '@' || *at == '#')
            fputs("<!-- -->", stream);
    }
    free(valid);
}

/* The longest run of backticks. */
static size_t count_ticks(const char *text)
{
    size_t most = 0;
    for (; *text != '\0'; text += strcspn(text, "`")) {
        const size_t ticks = strspn(text, "`");
        most = ticks > most ? ticks : most;
        text += ticks;
    }
    return most;
}

static void write_ticks(FILE *stream, size_t count)
{
    for (; count > 0; count--)
        fputc('`', stream);
}

/* As code in a cell of a table. */
static void write_code(FILE *stream, const char *text)
{
    char *valid = valid_text(text);
    const size_t ticks = count_ticks(valid) + 1;
    if (valid[0] != '\0') {
        write_ticks(stream, ticks);
        fputs(ticks > 1 ? " " : "", stream);
        for (const char *at = valid; *at != '\0'; at++)
            fprintf(stream, *at == '|' ? "\\%c" : "%c", *at);
        fputs(ticks > 1 ? " " : "", stream);
        write_ticks(stream, ticks);
    }
    free(valid);
}

static void write_block(FILE *stream, const char *text)
{
    enum { LEAST_TICKS = 3 };
    const size_t ticks = count_ticks(text) < LEAST_TICKS ? LEAST_TICKS : count_ticks(text) + 1;
    write_ticks(stream, ticks);
    fprintf(stream, "\n%s", text);
    write_ticks(stream, ticks);
    fputs("\n\n", stream);
}

static void write_rows(FILE *stream, const struct finding *finding)
{
    const struct evidence_list *list = &finding->evidence;
    if (list->count == 0)
        return;
    fputs("| ranks | what they do | for | where |\n|---|---|---|---|\n", stream);
    for (size_t i = 0; i < list->count && i < MOST_ROWS; i++) {
        const struct evidence *evidence = &list->items[i];
        fprintf(stream, "| %s | ", evidence->ranks.count > 0 ? ranks_text(&evidence->ranks) : "");
        write_code(stream, evidence->text);
        fprintf(stream, " | %s | ", describe_age(evidence->age_s));
        write_code(stream, evidence->site);
        fputs(" |\n", stream);
    }
    const size_t more = list->left_out + (list->count > MOST_ROWS ? list->count - MOST_ROWS : 0);
    if (more > 0)
        fprintf(stream, "\n%zu more such lines are left out.\n", more);
    fputc('\n', stream);
}

static void write_source(FILE *stream, struct source_view *view, const struct finding *finding)
{
    struct source_excerpts excerpts = source_view_take(view, finding, CONTEXT_LINES, 0);
    FILE *lines = arena_open();
    for (size_t i = 0; i < excerpts.count; i++)
        render_excerpt(lines, &excerpts.items[i], false);
    const char *text = arena_close(lines);
    if (text[0] != '\0')
        write_block(stream, text);
}

static void write_finding(FILE *stream, struct source_view *view, const struct finding *finding)
{
    const struct finding_facts *facts = finding_kind_facts(finding->kind);
    fprintf(stream, "## %s\n\n**", facts->name);
    write_prose(stream, finding->message);
    fputs("**\n\n", stream);
    if (finding->remedy != NULL) {
        fputs("Remedy: ", stream);
        write_prose(stream, finding->remedy);
        fputs("\n\n", stream);
    }
    write_rows(stream, finding);
    write_source(stream, view, finding);
    fputs("<details><summary>What this means</summary>\n\n", stream);
    write_prose(stream, facts->summary);
    fputs(".\n\n", stream);
    write_prose(stream, facts->remedy);
    fputs("\n\nMPI standard (4.1): ", stream);
    write_prose(stream, facts->standard);
    fputs("\n</details>\n\n", stream);
}

static void write_head(FILE *stream, const struct machine_verdict *verdict)
{
    const struct job *job = verdict->job;
    fputs("# mpilens: ", stream);
    write_code(stream, machine_name(verdict));
    fputs("\n\n", stream);
    if (job->size <= 0)
        return;
    fprintf(stream, "%d rank%s", job->size, job->size > 1 ? "s" : "");
    fputs(job->mpi != NULL ? ", " : "", stream);
    write_prose(stream, job->mpi != NULL ? job->mpi : "");
    if (job->snapshot != NULL) {
        fputs(", read from ", stream);
        write_code(stream, job->snapshot);
    }
    fputs("\n\n", stream);
}

int machine_write_markdown(FILE *stream, const struct machine_verdict *verdict)
{
    const struct findings *findings = verdict->findings;
    const char *unread = machine_unread(verdict);
    struct source_view *view = source_view_begin(verdict->job, &verdict->options->source);
    write_head(stream, verdict);
    if (findings->count == 0) {
        write_prose(stream, machine_outcome(verdict));
        fputs("\n\n", stream);
    }
    for (size_t i = 0; i < findings->count && i < MOST_FINDINGS; i++)
        write_finding(stream, view, &findings->items[i]);
    if (findings->count > MOST_FINDINGS)
        fprintf(stream, "%zu more findings are left out.\n\n", findings->count - MOST_FINDINGS);
    if (unread != NULL) {
        write_prose(stream, unread);
        fputs("\n\n", stream);
    }
    fprintf(stream, "mpilens %s\n", MPILENS_VERSION);
    return 0;
}
