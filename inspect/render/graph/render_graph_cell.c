/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breaks texts into cells of one width.
 */
#include "render/graph/render_graph_internal.h"

#include "text/text.h"

/* Names of the font; the browser's name for the system's fixed-width font comes first. */
#define FONT_FAMILY "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"

const double cell_width = 6.6;

static const double font_size = 11;
/* From the middle of a line up to which letters stand. */
static const double baseline = 0.34 * 11;

void write_cells(FILE *stream, const char *text, const char *ink, double x, double y)
{
    const size_t columns = text_columns(text);
    fprintf(stream,
            "<text text-anchor=\"middle\" x=\"%.2f\" y=\"%.2f\" textLength=\"%.2f\" "
            "lengthAdjust=\"spacingAndGlyphs\" font-family=\"" FONT_FAMILY "\" font-size=\"%.2f\" fill=\"%s\">",
            x, y + baseline, (double)(columns > 0 ? columns : 1) * cell_width, font_size, ink);
    html_write_text(stream, text);
    fputs("</text>", stream);
}
