/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The graph as source for Graphviz. What a node is, is said by its words and its border; colour comes on top.
 */
#include "render_graph.h"

#include "allocation.h"
#include "valid_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Characters of a line, and lines of one text. */
enum { LINE_LENGTH = 46, MOST_LINES = 3 };

static const struct {
    const char *class;
    const char *attributes;
} looks[] = {
    [PICTURE_CAUSE] = {"cause", "peripheries=2, penwidth=2.5, color=\"#b3261e\", fillcolor=\"#fdecea\""},
    [PICTURE_INVOLVED] = {"involved", "penwidth=2.5, color=\"#9a5b00\", fillcolor=\"#fff4e0\""},
    [PICTURE_CONSEQUENCE] = {"consequence", "color=\"#6b6b6b\", fontcolor=\"#444444\", fillcolor=\"#f0f0f0\""},
    [PICTURE_WAITS] = {"waits", "style=\"filled,dashed\", color=\"#2f6f4f\", fillcolor=\"#ffffff\""},
    [PICTURE_ENDED] = {"ended", "style=\"filled,dotted\", color=\"#444444\", fillcolor=\"#ffffff\""},
    [PICTURE_UNREAD] = {"unread", "style=\"filled,dotted\", color=\"#444444\", fillcolor=\"#ffffff\""},
    [PICTURE_LIVE] = {"live", "style=\"filled,dashed\", color=\"#2f6f4f\", fillcolor=\"#ffffff\""},
};

const char *picture_role_class(enum picture_role role)
{
    return looks[role].class;
}

/* Inside of a quoted text of Graphviz, which knows escapes and entities. */
static void write_character(FILE *stream, const char *text, size_t length)
{
    if (*text == '"' || *text == '\\')
        fputc('\\', stream);
    fwrite(text, 1, length, stream);
    if (*text == '&')
        fputs("amp;", stream);
}

/* Up to where the first line goes: to a space, where there is one. */
static const char *line_end(const char *text)
{
    const char *space = NULL, *at = text;
    for (size_t columns = 0; *at != '\0' && columns < LINE_LENGTH; columns++) {
        if (*at == ' ')
            space = at;
        at += valid_character(at);
    }
    return *at == '\0' || space == NULL ? at : space;
}

/* In lines; what does not fit is left out. `begins`: what each begins with. */
static void write_lines(FILE *stream, const char *text, const char *begins)
{
    char *valid = valid_text(text);
    const char *at = valid;
    for (size_t i = 0; *at != '\0' && i < MOST_LINES; i++) {
        const char *end = line_end(at);
        fputs(begins, stream);
        while (at < end) {
            const size_t length = valid_character(at);
            write_character(stream, at, length);
            at += length;
        }
        while (*at == ' ')
            at++;
        fputs(*at != '\0' && i + 1 == MOST_LINES ? " ..." : "", stream);
        fputs("\\n", stream);
    }
    free(valid);
}

static void write_age(FILE *stream, const struct picture_node *node)
{
    char *least = describe_age(node->least_age_s), *most = describe_age(node->most_age_s);
    if (most[0] != '\0')
        fprintf(stream, strcmp(least, most) == 0 ? "for %s\\n" : "for %s to %s\\n", least, most);
    free(least);
    free(most);
}

static void write_node(FILE *stream, const struct picture_node *node, size_t number)
{
    char *ranks = describe_picture_ranks(node);
    char *mode = describe_picture_mode(node);
    fprintf(stream, "  \"%s\" [id=\"node%zu\", class=\"%s\", %s, label=\"", ranks, number, looks[node->role].class,
            looks[node->role].attributes);
    char *title = format_text("%s: %s", ranks, describe_picture_role(node->role));
    write_lines(stream, title, "");
    write_lines(stream, node->call, "");
    write_lines(stream, node->site, "");
    write_age(stream, node);
    write_lines(stream, mode, "");
    fputs("\"];\n", stream);
    free(title);
    free(mode);
    free(ranks);
}

static void write_link(FILE *stream, const struct picture *picture, const struct picture_link *link)
{
    const struct picture_node *from = &picture->nodes[link->from];
    const bool is_choice = link->mode == WAITS_FOR_ANY && from->target_count > 1;
    char *waiting = describe_picture_ranks(from), *other = describe_picture_ranks(&picture->nodes[link->to]);
    fprintf(stream, "  \"%s\" -> \"%s\" [class=\"%s\", %s%slabel=\"", waiting, other, looks[from->role].class,
            from->role <= PICTURE_INVOLVED ? "penwidth=2, " : "", is_choice ? "arrowhead=onormal, style=dashed, " : "");
    char *label = format_text("%s%s", is_choice ? "or: " : "", link->label);
    write_lines(stream, label, "  ");
    free(label);
    free(waiting);
    free(other);
    fputs("\"];\n", stream);
}

int picture_write_dot(FILE *stream, const struct picture *picture)
{
    fputs("digraph \"mpilens\" {\n"
          "  graph [charset=\"UTF-8\", bgcolor=\"transparent\", nodesep=0.4, ranksep=0.5];\n"
          "  node [shape=box, style=filled, fontname=\"Helvetica,Arial,sans-serif\", fontsize=12, "
          "margin=\"0.15,0.08\"];\n"
          "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=11];\n",
          stream);
    for (size_t i = 0; i < picture->node_count; i++)
        write_node(stream, &picture->nodes[i], i);
    for (size_t i = 0; i < picture->link_count; i++)
        write_link(stream, picture, &picture->links[i]);
    fputs("}\n", stream);
    return fflush(stream) == 0 && !ferror(stream) ? 0 : -1;
}

static struct picture make(const struct job *job, const struct analysis *analysis)
{
    struct communicator_labels labels = label_communicators(job);
    struct picture picture = picture_make(job, analysis, &labels);
    communicator_labels_clear(&labels);
    return picture;
}

int render_why_dot(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason)
{
    struct picture picture = make(job, analysis);
    int result = 0;
    if (picture_write_dot(stream, &picture) != 0)
        result = reason_set(ret_reason, "the graph cannot be written: %s", strerror(errno));
    picture_clear(&picture);
    return result;
}

int render_why_svg(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason)
{
    struct picture picture = make(job, analysis);
    char *svg;
    int result = picture_draw(&picture, &svg, ret_reason);
    if (result == 0) {
        if (fputs(svg, stream) == EOF || fflush(stream) != 0)
            result = reason_set(ret_reason, "the graph cannot be written: %s", strerror(errno));
        free(svg);
    }
    picture_clear(&picture);
    return result;
}
