/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Formats of a line each: the messages of compilers, and the workflow commands of GitHub Actions.
 */
#include "render/machine/machine_internal.h"

#include "text/text.h"

#include <stdlib.h>

/* --- gcc --- */

static const struct machine_place nowhere = {.line = 0};

/* "ring.c:23: error: ...". On one line, however wide: the reader is no person. */
static void write_message(FILE *stream, struct machine_place place, const char *kind, const char *text,
                          const char *word)
{
    char *path = escaped_text(place.path != NULL && place.line > 0 ? place.path : "mpilens");
    char *message = escaped_text(text);
    fprintf(stream, "%s:", path);
    if (place.path != NULL && place.line > 0)
        fprintf(stream, "%d:", place.line);
    fprintf(stream, " %s: %s", kind, message);
    fprintf(stream, word != NULL ? " [%s]\n" : "\n", word);
    free(message);
    free(path);
}

static void write_gcc_finding(FILE *stream, const struct machine_verdict *verdict, const struct finding *finding)
{
    const char *here = machine_here();
    const struct machine_place place = machine_place_of_finding(verdict, finding, here);
    const char *more = machine_more_evidence(finding);
    write_message(stream, place, "error", finding->message, finding_kind_name(finding->kind));
    for (size_t i = 0; i < finding->evidence.count; i++) {
        const struct evidence *evidence = &finding->evidence.items[i];
        const struct machine_place there = machine_place_of_evidence(evidence, here);
        write_message(stream, there, "note", machine_evidence(evidence, there.path == NULL), NULL);
    }
    if (more != NULL)
        write_message(stream, nowhere, "note", more, NULL);
    if (finding->remedy != NULL)
        write_message(stream, place, "note", arena_text("remedy: %s", finding->remedy), NULL);
}

int machine_write_gcc(FILE *stream, const struct machine_verdict *verdict)
{
    const struct findings *findings = verdict->findings;
    const char *unread = machine_unread(verdict);
    for (size_t i = 0; i < findings->count; i++)
        write_gcc_finding(stream, verdict, &findings->items[i]);
    if (findings->count == 0)
        write_message(stream, nowhere, verdict->failure != NULL ? "error" : "note", machine_outcome(verdict), NULL);
    if (unread != NULL)
        write_message(stream, nowhere, "warning", unread, NULL);
    return 0;
}

/* --- GitHub --- */

/* As a value of a property, or as the message: GitHub documents which characters mean something there. */
static void write_escaped(FILE *stream, const char *text, bool is_property)
{
    char *valid = valid_text(text);
    for (const char *at = valid; *at != '\0'; at++)
        if (*at == '%' || (is_property && (*at == ':' || *at == ',')))
            fprintf(stream, "%%%02X", (unsigned)*at);
        else
            fputc(*at, stream);
    free(valid);
}

static void write_line(FILE *stream, const char *text)
{
    fputs("%0A", stream);
    write_escaped(stream, text, false);
}

static void write_command(FILE *stream, const char *command, struct machine_place place, const char *title)
{
    fprintf(stream, "::%s ", command);
    if (place.path != NULL && place.line > 0) {
        fputs("file=", stream);
        write_escaped(stream, place.path, true);
        fprintf(stream, ",line=%d,", place.line);
    }
    fputs("title=", stream);
    write_escaped(stream, arena_text("mpilens: %s", title), true);
    fputs("::", stream);
}

static void write_github_finding(FILE *stream, const struct machine_verdict *verdict, const struct finding *finding)
{
    const char *more = machine_more_evidence(finding);
    write_command(stream, "error", machine_place_of_finding(verdict, finding, machine_root()),
                  finding_kind_name(finding->kind));
    write_escaped(stream, finding->message, false);
    if (finding->remedy != NULL)
        write_line(stream, arena_text("remedy: %s", finding->remedy));
    for (size_t i = 0; i < finding->evidence.count; i++)
        write_line(stream, machine_evidence(&finding->evidence.items[i], true));
    if (more != NULL)
        write_line(stream, more);
    fputc('\n', stream);
}

static void write_remark(FILE *stream, const char *command, const char *title, const char *text)
{
    write_command(stream, command, nowhere, title);
    write_escaped(stream, text, false);
    fputc('\n', stream);
}

int machine_write_github(FILE *stream, const struct machine_verdict *verdict)
{
    const struct findings *findings = verdict->findings;
    const char *unread = machine_unread(verdict);
    for (size_t i = 0; i < findings->count; i++)
        write_github_finding(stream, verdict, &findings->items[i]);
    if (findings->count == 0)
        write_remark(stream, verdict->failure != NULL ? "error" : "notice", machine_name(verdict),
                     machine_outcome(verdict));
    if (unread != NULL)
        write_remark(stream, "warning", "ranks that were not read", unread);
    return 0;
}
