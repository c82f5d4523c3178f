/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the graph into the page: drawn by Graphviz where that is there, and as a list in any case.
 */
#include "render/html/render_html_internal.h"

#include "render/graph/render_graph.h"

#include "base/base.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

/* Graphviz sizes in points, for which a character has 12. */
static const double points_per_em = 12;

/* The drawing as an element of the page that grows with the text. */
static void write_drawing(FILE *stream, const char *svg)
{
    const char *element = strstr(svg, "<svg");
    const char *width = strstr(element, "width=\""), *height = strstr(element, "height=\"");
    const char *rest = height != NULL ? strstr(height, "pt\"") : NULL;
    if (width == NULL || rest == NULL) {
        fputs(element, stream);
        return;
    }
    fprintf(stream,
            "<svg role=\"group\" aria-label=\"Graph of ranks that wait for each other\" width=\"%.2fem\" "
            "height=\"%.2fem\"",
            strtod(width + strlen("width=\""), NULL) / points_per_em,
            strtod(height + strlen("height=\""), NULL) / points_per_em);
    fputs(rest + strlen("pt\""), stream);
}

static void write_links(FILE *stream, const struct picture *picture, size_t from)
{
    bool is_first = true;
    for (size_t i = 0; i < picture->link_count; i++) {
        const struct picture_link *link = &picture->links[i];
        if (link->from != from)
            continue;
        fputs(is_first ? "<ul>\n<li>waits for " : "<li>waits for ", stream);
        const struct picture_node *to = &picture->nodes[link->to];
        html_write_ranks(stream, &to->ranks);
        fputs(": ", stream);
        html_write_text(stream, link->label);
        fputs("</li>\n", stream);
        is_first = false;
    }
    fputs(is_first ? "" : "</ul>\n", stream);
}

static void write_list(FILE *stream, const struct picture *picture)
{
    fputs("<ul class=\"nodes\">\n", stream);
    for (size_t i = 0; i < picture->node_count; i++) {
        const struct picture_node *node = &picture->nodes[i];
        const char *mode = describe_picture_mode(node);
        fprintf(stream, "<li class=\"%s\">", picture_look(node->role)->class);
        html_write_ranks(stream, &node->ranks);
        fprintf(stream, ": <strong>%s</strong>, ", describe_picture_role(node->role));
        html_write_text(stream, node->call);
        fputs(node->site[0] != '\0' ? ", " : "", stream);
        html_write_text(stream, node->site);
        fputs(mode[0] != '\0' ? ", " : "", stream);
        html_write_text(stream, mode);
        if (node->ring != NULL) {
            const char *ring = describe_ring(node);
            fputs(", ", stream);
            html_write_text(stream, ring);
        }
        fputs("\n", stream);
        write_links(stream, picture, i);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

void html_write_graph(FILE *stream, const struct picture *picture)
{
    struct reason reason;
    const char *svg;
    if (picture_draw(picture, &svg, &reason) != 0) {
        fputs("<p>The graph is a list here, because it could not be drawn: ", stream);
        html_write_text(stream, reason.text);
        fputs(".</p>\n", stream);
        write_list(stream, picture);
        return;
    }
    fputs("<figure><p class=\"zoom\" hidden><button type=\"button\" value=\"1.25\">Zoom in</button> "
          "<button type=\"button\" value=\"0.8\">Zoom out</button> <button type=\"button\" value=\"\">Fit</button> "
          "<button type=\"button\" id=\"fold\" aria-pressed=\"false\">Hide those stuck because of it</button></p>\n",
          stream);
    fputs("<div class=\"graph\" role=\"group\" aria-labelledby=\"graph-title\" tabindex=\"0\">\n", stream);
    write_drawing(stream, svg);
    fputs(
        "</div>\n<figcaption>An arrow leads from those who wait to those they wait for; a dashed one with a hollow "
        "head where any of several would do. Of ranks in a ring each waits for the next one. Double border: a cause. "
        "Thick border: stuck together with a cause. Thin "
        "grey border: stuck because of it. Dashed border: goes on, or may go on. Dotted border: ended, or not read. "
        "A node chosen leaves only its ranks below. It can be dragged, and zoomed by its buttons, + and -, or Ctrl and "
        "the wheel.</figcaption></figure>\n"
        "<details><summary>The same as a list</summary>\n",
        stream);
    write_list(stream, picture);
    fputs("</details>\n", stream);
}
