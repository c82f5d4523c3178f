/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the graph as source for Graphviz. Words and border of a node tell its role; colour only repeats it.
 */
#include "render/graph/render_graph_internal.h"

#include "text/text.h"

/* Inside of a quoted text of Graphviz, which knows escapes and entities. */
static void write_character(FILE *stream, const char *text, size_t length)
{
    if (*text == '"' || *text == '\\')
        fputc('\\', stream);
    fwrite(text, 1, length, stream);
    if (*text == '&')
        fputs("amp;", stream);
}

/* `begins`: start of each line. */
static void write_lines(FILE *stream, const struct picture_label *label, const char *begins)
{
    fputs("\"", stream);
    for (size_t i = 0; i < label->line_count; i++) {
        fputs(begins, stream);
        for (const char *at = label->lines[i]; *at != '\0';) {
            const size_t length = valid_character(at);
            write_character(stream, at, length);
            at += length;
        }
        fputs("\\n", stream);
    }
    fputs("\"", stream);
}

static void write_node(FILE *stream, const struct picture *picture, size_t number, bool has_places)
{
    const struct picture_node *node = &picture->nodes[number];
    const struct picture_look *look = picture_look(node->role);
    const char *ranks = describe_picture_ranks(node);
    struct picture_label label = label_of_node(node);
    fprintf(stream, "  \"%s\" [id=\"node%zu\", class=\"%s\", %s, ", ranks, number, look->class, look->attributes);
    if (has_places) {
        fputs("label=", stream);
        write_place(stream, &label, node, place_of_node(number));
    } else {
        fprintf(stream, "fontcolor=\"%s\", label=", look->ink);
        write_lines(stream, &label, "");
    }
    fputs("];\n", stream);
    if (node->ring != NULL && !has_places)
        fprintf(stream, "  \"%s\" -> \"%s\" [class=\"%s\"];\n", ranks, ranks, look->class);
}

static void write_link(FILE *stream, const struct picture *picture, size_t number, bool has_places)
{
    const struct picture_link *link = &picture->links[number];
    const struct picture_node *from = &picture->nodes[link->from];
    const char *waiting = describe_picture_ranks(from), *other = describe_picture_ranks(&picture->nodes[link->to]);
    struct picture_label label = label_of_link(picture, link);
    fprintf(stream, "  \"%s\" -> \"%s\" [class=\"%s\", %s%slabel=", waiting, other, picture_look(from->role)->class,
            from->role <= PICTURE_INVOLVED ? "penwidth=2, " : "",
            link_is_choice(picture, link) ? "arrowhead=onormal, style=dashed, " : "");
    if (has_places)
        write_place(stream, &label, NULL, place_of_link(picture, number));
    else
        write_lines(stream, &label, "  ");
    fputs("];\n", stream);
}

int picture_write_source(FILE *stream, const struct picture *picture, bool has_places)
{
    fputs("digraph \"mpilens\" {\n"
          "  graph [charset=\"UTF-8\", bgcolor=\"transparent\", nodesep=0.4, ranksep=0.5];\n"
          "  node [shape=box, style=filled, fontname=\"Helvetica,Arial,sans-serif\", fontsize=12, "
          "margin=\"0.15,0.08\"];\n"
          "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=11];\n",
          stream);
    for (size_t i = 0; i < picture->node_count; i++)
        write_node(stream, picture, i, has_places);
    for (size_t i = 0; i < picture->link_count; i++)
        write_link(stream, picture, i, has_places);
    fputs("}\n", stream);
    return finish_output(stream);
}

int picture_write_dot(FILE *stream, const struct picture *picture)
{
    return picture_write_source(stream, picture, false);
}
