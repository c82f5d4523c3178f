/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fits texts of any length into few and short lines.
 */
#include "render/graph/render_graph_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

/* Columns of a line, and lines of one text. */
enum { LINE_COLUMNS = 46, MOST_LINES = 3 };

/* Takes the line. */
static void add_line(struct picture_label *label, const char *line)
{
    label->lines = arena_append(label->lines, &label->line_count, sizeof *label->lines);
    label->lines[label->line_count - 1] = line;
    const size_t columns = text_columns(line);
    label->columns = columns > label->columns ? columns : label->columns;
}

/* The end of the first line: at a space, if there is one. Combining characters also count, so that they cannot make a
 * line long. */
static const char *line_end(const char *text)
{
    const char *space = NULL, *at = text;
    for (size_t columns = 0; *at != '\0' && columns < LINE_COLUMNS;) {
        if (*at == ' ')
            space = at;
        const size_t length = valid_character(at);
        columns += character_columns(at, length) == 2 ? 2 : 1;
        at += length;
    }
    return *at == '\0' || space == NULL ? at : space;
}

/* Text that does not fit into the lines is left out. */
static void add_text(struct picture_label *label, const char *text)
{
    const char *valid = arena_take(valid_text(text));
    const char *at = valid;
    for (size_t i = 0; *at != '\0' && i < MOST_LINES; i++) {
        const char *begin = at, *end = line_end(at);
        at = end + strspn(end, " ");
        add_line(label,
                 arena_text("%.*s%s", (int)(end - begin), begin, *at != '\0' && i + 1 == MOST_LINES ? " ..." : ""));
    }
}

static void add_age(struct picture_label *label, const struct picture_node *node)
{
    const char *least = describe_age(node->least_age_s), *most = describe_age(node->most_age_s);
    if (most[0] != '\0')
        add_line(label,
                 strcmp(least, most) == 0 ? arena_text("for %s", least) : arena_text("for %s to %s", least, most));
}

struct picture_label label_of_node(const struct picture_node *node)
{
    struct picture_label label = {.line_count = 0};
    const char *mode = describe_picture_mode(node);
    const char *title = arena_text("%s: %s", describe_picture_ranks(node), describe_picture_role(node->role));
    add_text(&label, title);
    add_text(&label, node->call);
    add_text(&label, node->site);
    add_age(&label, node);
    add_text(&label, mode);
    if (node->ring != NULL) {
        const char *wanted = describe_ring(node);
        add_text(&label, wanted);
    }
    return label;
}

bool link_is_choice(const struct picture *picture, const struct picture_link *link)
{
    return link->mode == WAITS_FOR_ANY && picture->nodes[link->from].target_count > 1;
}

struct picture_label label_of_link(const struct picture *picture, const struct picture_link *link)
{
    struct picture_label label = {.line_count = 0};
    const char *text = arena_text("%s%s", link_is_choice(picture, link) ? "or: " : "", link->label);
    add_text(&label, text);
    return label;
}
