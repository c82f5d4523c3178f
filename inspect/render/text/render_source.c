/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints source lines, as compilers do.
 */
#include "render/text/render_text.h"

#include "base/base.h"
#include "source/source.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

/* Columns of a line where there is no terminal, or a very narrow one. */
enum { MOST_SHOWN = 200, LEAST_COLUMNS = 20 };

/* "    29 | ". */
static const char *number_columns(const struct source_lines *lines, const struct source_line *line)
{
    const int width = snprintf(NULL, 0, "%d", lines->items[lines->count - 1].number);
    return line != NULL ? arena_text("    %*d |", width, line->number) : arena_text("    %*s |", width, "");
}

/* How many columns go to the left so that the mark is in sight. */
static size_t hidden_columns(const struct source_lines *lines, size_t columns)
{
    const size_t beside = columns / 4;
    const bool is_in_sight = lines->column + lines->mark_columns <= columns;
    return is_in_sight || lines->column <= beside ? 0 : lines->column - beside;
}

static void render_lines(FILE *stream, const struct source_lines *lines, bool color)
{
    const size_t width = terminal_width(stream), before = strlen(number_columns(lines, NULL)) + 1;
    const size_t columns = width == 0 ? MOST_SHOWN : width > before + LEAST_COLUMNS ? width - before : LEAST_COLUMNS;
    const size_t hidden = hidden_columns(lines, columns);
    for (size_t i = 0; i < lines->count; i++) {
        const struct source_line *line = &lines->items[i];
        const char *text = source_line_part(line->text, hidden, columns);
        print_line(stream, "%s%s%s", number_columns(lines, line), text[0] != '\0' ? " " : "", text);
        if (i != lines->named || lines->mark_columns == 0)
            continue;
        FILE *mark = arena_open();
        for (size_t j = 0; j < lines->mark_columns && lines->column - hidden + j < columns; j++)
            fputc(j == 0 ? '^' : '~', mark);
        print_colored_line(stream, color ? "\033[1;31m" : NULL, "%s %*s%s", number_columns(lines, NULL),
                           (int)(lines->column - hidden), "", arena_close(mark));
    }
}

void render_excerpt(FILE *stream, const struct source_excerpt *excerpt, bool color)
{
    const struct ranks *ranks = source_excerpt_ranks(excerpt);
    if (excerpt->note != NULL) {
        print_line(stream, "  %s", excerpt->note);
        return;
    }
    fputc('\n', stream);
    print_line(stream, "  %s%s%s", excerpt->place, ranks->count > 0 ? ", " : "",
               ranks->count > 0 ? ranks_name(ranks) : "");
    render_lines(stream, &excerpt->lines, color);
}
