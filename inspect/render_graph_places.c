/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts are set in cells, as by a typewriter: fonts of that kind agree in 0.6 of their size for the width of a
 * character, so that they are hardly stretched. A line is as high as the boxes of nearly all fonts are.
 *
 * A place is a table of Graphviz with a size and no text. It is found again by its colour, which is its number.
 */
#include "render_graph_places.h"

#include "render_html.h"
#include "text_columns.h"

#include <stdlib.h>
#include <string.h>

/* In points. */
static const double font_size = 11, column_width = 6.6, line_height = 16;
/* From the middle of a line up to which letters stand. */
static const double baseline = 0.34 * 11;

/* The font's names; what a browser calls the font of the system for texts of programs comes first. */
#define FONT_FAMILY "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"

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

void write_place(FILE *stream, const struct picture_label *label, size_t number)
{
    fprintf(stream,
            "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"0\" CELLSPACING=\"0\" FIXEDSIZE=\"TRUE\" "
            "WIDTH=\"%.0f\" HEIGHT=\"%.0f\" BGCOLOR=\"#%06zx\"><TR><TD></TD></TR></TABLE>>",
            (double)(label->columns + EMPTY_COLUMNS) * column_width, (double)label->line_count * line_height,
            FIRST_COLOR + number);
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
        const size_t columns = text_columns(label->lines[i]);
        fprintf(stream,
                "%s<text text-anchor=\"middle\" x=\"%.2f\" y=\"%.2f\" textLength=\"%.2f\" "
                "lengthAdjust=\"spacingAndGlyphs\" font-family=\"" FONT_FAMILY "\" font-size=\"%.2f\" fill=\"%s\">",
                i > 0 ? "\n" : "", (box->left + box->right) / 2, middle + baseline,
                (double)(columns > 0 ? columns : 1) * column_width, font_size, ink);
        html_write_text(stream, label->lines[i]);
        fputs("</text>", stream);
    }
}

static void fill_place(FILE *stream, const struct picture *picture, size_t number, const struct box *box)
{
    const bool is_node = number < picture->node_count;
    const struct picture_link *link = is_node ? NULL : &picture->links[number - picture->node_count];
    struct picture_label label = is_node ? label_of_node(&picture->nodes[number]) : label_of_link(picture, link);
    write_label(stream, &label, is_node ? picture_role_ink(picture->nodes[number].role) : "black", box);
    picture_label_clear(&label);
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

char *fill_places(const char *drawing, const struct picture *picture)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return NULL;
    const size_t filled = fill_all(stream, drawing, picture);
    if (fclose(stream) == 0 && filled == picture->node_count + picture->link_count)
        return text;
    free(text);
    return NULL;
}
