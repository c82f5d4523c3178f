/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Draws rings. The ranks of a large one stand for themselves at its beginning and at its end, for all others stand
 * dots.
 */
#include "render/graph/render_graph_internal.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* On one circle, the dots among them. */
enum { MOST_MARKS = 24 };

static const double pi = 3.14159265358979323846;

/* In points: of a mark, of an arrow between two, from that to marks, of its head, and around all. */
static const double mark_height = 20, arrow_length = 14, gap = 2, head_length = 6, head_width = 5, margin = 6;
static const double empty_columns = 1.5;

struct circle {
    size_t mark_count;
    double mark_width;
    double radius; /* on which the middles of marks are */
};

struct point {
    double x, y;
};

static const char *mark_of(const struct picture_node *node, size_t number)
{
    if (node->ranks.count <= MOST_MARKS || number + 2 < MOST_MARKS)
        return arena_text("%d", node->ring[number]);
    return number + 1 < MOST_MARKS ? "..." : arena_text("%d", node->ring[node->ranks.count - 1]);
}

/* Marks that are that far from each other do not touch, wherever they are. */
static struct circle circle_of(const struct picture_node *node)
{
    struct circle circle = {.mark_count = node->ranks.count < MOST_MARKS ? node->ranks.count : MOST_MARKS};
    size_t columns = 0;
    for (size_t i = 0; i < circle.mark_count; i++) {
        const char *mark = mark_of(node, i);
        columns = strlen(mark) > columns ? strlen(mark) : columns;
    }
    circle.mark_width = ((double)columns + empty_columns) * cell_width;
    const double distance = hypot(circle.mark_width, mark_height) + arrow_length;
    circle.radius = distance / (2 * sin(pi / (double)circle.mark_count));
    return circle;
}

struct ring_size ring_size_of(const struct picture_node *node)
{
    if (node == NULL || node->ring == NULL)
        return (struct ring_size){0};
    const struct circle circle = circle_of(node);
    return (struct ring_size){2 * (circle.radius + margin) + circle.mark_width,
                              2 * (circle.radius + margin) + mark_height};
}

/* The first is at the top, the others follow as the hand of a clock goes. */
static struct point place_of(const struct circle *circle, size_t number, struct point middle)
{
    const double angle = 2 * pi * (double)number / (double)circle->mark_count;
    return (struct point){middle.x + circle->radius * sin(angle), middle.y - circle->radius * cos(angle)};
}

/* From the middle of a mark to its edge, that way. */
static double to_edge(const struct circle *circle, struct point way)
{
    const double across = fabs(way.x) > 0 ? circle->mark_width / 2 / fabs(way.x) : INFINITY;
    const double along = fabs(way.y) > 0 ? mark_height / 2 / fabs(way.y) : INFINITY;
    return fmin(across, along) + gap;
}

static void write_arrow(FILE *stream, const struct circle *circle, const char *ink, struct point from, struct point to)
{
    const double length = hypot(to.x - from.x, to.y - from.y);
    const struct point way = {(to.x - from.x) / length, (to.y - from.y) / length};
    const double edge = to_edge(circle, way);
    const struct point tip = {to.x - way.x * edge, to.y - way.y * edge};
    const struct point neck = {tip.x - way.x * head_length, tip.y - way.y * head_length};
    const struct point side = {-way.y * head_width / 2, way.x * head_width / 2};
    fprintf(stream,
            "<path d=\"M%.2f,%.2fL%.2f,%.2fL%.2f,%.2fL%.2f,%.2fL%.2f,%.2fL%.2f,%.2fZ\" stroke=\"%s\" fill=\"%s\"/>\n",
            from.x + way.x * edge, from.y + way.y * edge, neck.x, neck.y, neck.x + side.x, neck.y + side.y, tip.x,
            tip.y, neck.x - side.x, neck.y - side.y, neck.x, neck.y, ink, ink);
}

static void write_mark(FILE *stream, const struct circle *circle, const char *ink, struct point at, const char *text)
{
    fprintf(
        stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"%.2f\" stroke=\"%s\" fill=\"none\"/>",
        at.x - circle->mark_width / 2, at.y - mark_height / 2, circle->mark_width, mark_height, mark_height / 2, ink);
    write_cells(stream, text, ink, at.x, at.y);
    fputc('\n', stream);
}

void write_ring(FILE *stream, const struct picture_node *node, const char *ink, double x, double y)
{
    const struct circle circle = circle_of(node);
    const struct point middle = {x, y};
    fputs("\n<g class=\"ring\">\n", stream);
    for (size_t i = 0; i < circle.mark_count; i++) {
        const char *mark = mark_of(node, i);
        write_mark(stream, &circle, ink, place_of(&circle, i, middle), mark);
        write_arrow(stream, &circle, ink, place_of(&circle, i, middle),
                    place_of(&circle, (i + 1) % circle.mark_count, middle));
    }
    fputs("</g>", stream);
}
