/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes source lines into the page.
 */
#include "render/html/render_html_internal.h"

#include "base/base.h"
#include "source/source.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

/* Before and after the line. */
enum { CONTEXT_LINES = 5 };

static void write_part(FILE *stream, const char *text, size_t bytes)
{
    html_write_text(stream, arena_text("%.*s", (int)bytes, text));
}

static void write_line(FILE *stream, const struct source_lines *lines, size_t number)
{
    const struct source_line *line = &lines->items[number];
    const int width = snprintf(NULL, 0, "%d", lines->items[lines->count - 1].number);
    const size_t end = lines->mark + lines->mark_bytes;
    fprintf(stream, "<span class=\"faint\">%*d |</span> ", width, line->number);
    if (number == lines->named && lines->mark_bytes > 0) {
        write_part(stream, line->text, lines->mark);
        fputs("<mark>", stream);
        write_part(stream, line->text + lines->mark, lines->mark_bytes);
        fputs("</mark>", stream);
        html_write_text(stream, line->text + end);
    } else {
        html_write_text(stream, line->text);
    }
    fputc('\n', stream);
}

static void write_excerpt(FILE *stream, const struct source_excerpt *excerpt)
{
    const struct ranks *ranks = source_excerpt_ranks(excerpt);
    fputs(excerpt->note != NULL ? "<p class=\"place faint\">" : "<p class=\"place\">", stream);
    html_write_text(stream, excerpt->note != NULL ? excerpt->note : excerpt->place);
    if (excerpt->note == NULL && ranks->count > 0) {
        fputs(", ", stream);
        html_write_ranks(stream, ranks);
    }
    fputs("</p>\n", stream);
    if (excerpt->note != NULL)
        return;
    fputs("<div class=\"scroll\" role=\"group\" aria-label=\"Source\" tabindex=\"0\"><pre>", stream);
    for (size_t i = 0; i < excerpt->lines.count; i++)
        write_line(stream, &excerpt->lines, i);
    fputs("</pre></div>\n", stream);
}

void html_write_source(FILE *stream, struct source_view *view, const struct finding *finding)
{
    struct source_excerpts excerpts = source_view_take(view, finding, CONTEXT_LINES, CONTEXT_LINES);
    for (size_t i = 0; i < excerpts.count; i++)
        write_excerpt(stream, &excerpts.items[i]);
}
