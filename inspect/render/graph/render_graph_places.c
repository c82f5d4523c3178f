/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts are set in cells, as by a typewriter: fonts of that kind agree in 0.6 of their size for the width of a
 * character, so that they are hardly stretched. A line is as high as the boxes of nearly all fonts are.
 *
 * A place is a table of Graphviz with a size and no text. It is found again by its colour, which is its number.
 */
#include "render/graph/render_graph_internal.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In points. */
static const double line_height = 16;

/* The colour of the first place: nothing else in the picture has such a one. */
enum { FIRST_COLOR = 0x100000, COLOR_BASE = 16 };
/* That stay empty, half of them on each side. */
enum { EMPTY_COLUMNS = 2 };

size_t place_of_node(size_t node)
{
    return node;
}

size_t place_of_link(const struct picture *picture, size_t link)
{
    return picture->node_count + link;
}

void write_place(FILE *stream, const struct picture_label *label, const struct picture_node *node, size_t number)
{
    const struct ring_size ring = ring_size_of(node);
    fprintf(stream,
            "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"0\" CELLSPACING=\"0\" FIXEDSIZE=\"TRUE\" "
            "WIDTH=\"%.0f\" HEIGHT=\"%.0f\" BGCOLOR=\"#%06zx\"><TR><TD></TD></TR></TABLE>>",
            fmax((double)(label->columns + EMPTY_COLUMNS) * cell_width, ring.width),
            (double)label->line_count * line_height + ring.height, FIRST_COLOR + number);
}

struct box {
    double left, top, right, bottom;
};

/* The box around points: "x,y x,y ...\"". */
static struct box read_points(const char *text)
{
    struct box box = {.left = 0};
    bool is_first = true;
    while (*text != '"' && *text != '\0') {
        char *end;
        const double x = strtod(text, &end);
        if (end == text || *end != ',')
            break;
        const double y = strtod(end + 1, &end);
        box = (struct box){.left = is_first || x < box.left ? x : box.left,
                           .top = is_first || y < box.top ? y : box.top,
                           .right = is_first || x > box.right ? x : box.right,
                           .bottom = is_first || y > box.bottom ? y : box.bottom};
        is_first = false;
        text = end + strspn(end, " ");
    }
    return box;
}

static void write_label(FILE *stream, const struct picture_label *label, const char *ink, const struct box *box)
{
    for (size_t i = 0; i < label->line_count; i++) {
        const double middle =
            (box->top + box->bottom) / 2 + ((double)i - ((double)label->line_count - 1) / 2) * line_height;
        fputs(i > 0 ? "\n" : "", stream);
        write_cells(stream, label->lines[i], ink, (box->left + box->right) / 2, middle);
    }
}

static void fill_place(FILE *stream, const struct picture *picture, size_t number, const struct box *box)
{
    const bool is_node = number < picture->node_count;
    const struct picture_link *link = is_node ? NULL : &picture->links[number - picture->node_count];
    struct picture_label label = is_node ? label_of_node(&picture->nodes[number]) : label_of_link(picture, link);
    const char *ink = is_node ? picture_look(picture->nodes[number].role)->ink : "black";
    const struct ring_size ring = ring_size_of(is_node ? &picture->nodes[number] : NULL);
    const struct box upper = {box->left, box->top, box->right, box->bottom - ring.height};
    write_label(stream, &label, ink, &upper);
    if (ring.height > 0)
        write_ring(stream, &picture->nodes[number], ink, (box->left + box->right) / 2, box->bottom - ring.height / 2);
}

/* The number of the place that the element is, the count of places: it is none. */
static size_t place_number(const char *element, const char *end, size_t count)
{
    static const char fill[] = "fill=\"#";
    const char *color = strstr(element, fill);
    if (color == NULL || color > end)
        return count;
    const unsigned long number = strtoul(color + strlen(fill), NULL, COLOR_BASE);
    return number >= FIRST_COLOR && number - FIRST_COLOR < count ? number - FIRST_COLOR : count;
}

/* Copies the drawing and tells how many places it has had. */
static size_t fill_all(FILE *stream, const char *drawing, const struct picture *picture)
{
    static const char polygon[] = "<polygon ", points[] = "points=\"";
    const size_t count = picture->node_count + picture->link_count;
    size_t filled = 0;
    const char *copied = drawing;
    for (const char *at = strstr(drawing, polygon); at != NULL; at = strstr(at + 1, polygon)) {
        const char *end = strstr(at, "/>"), *corners = strstr(at, points);
        if (end == NULL || corners == NULL || corners > end)
            break;
        const size_t number = place_number(at, end, count);
        if (number == count)
            continue;
        const struct box box = read_points(corners + strlen(points));
        fwrite(copied, 1, (size_t)(at - copied), stream);
        fill_place(stream, picture, number, &box);
        copied = end + strlen("/>");
        filled++;
    }
    fputs(copied, stream);
    return filled;
}

const char *fill_places(const char *drawing, const struct picture *picture)
{
    FILE *stream = arena_open();
    const size_t filled = fill_all(stream, drawing, picture);
    const char *text = arena_close(stream);
    return filled == picture->node_count + picture->link_count ? text : NULL;
}
