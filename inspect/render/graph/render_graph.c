/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the graph to a stream.
 */

#include "render/graph/render_graph_internal.h"

#include <errno.h>
#include <string.h>

static struct picture make(const struct job *job, const struct analysis *analysis)
{
    struct communicator_labels labels = label_communicators(job);
    struct picture picture = picture_make(job, analysis, &labels);
    return picture;
}

int render_why_dot(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason)
{
    struct picture picture = make(job, analysis);
    int result = 0;
    if (picture_write_dot(stream, &picture) != 0)
        result = reason_set(ret_reason, "the graph cannot be written: %s", strerror(errno));
    return result;
}

int render_why_svg(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason)
{
    struct picture picture = make(job, analysis);
    const char *svg;
    int result = picture_draw(&picture, &svg, ret_reason);
    if (result == 0) {
        if (fputs(svg, stream) == EOF || fflush(stream) != 0)
            result = reason_set(ret_reason, "the graph cannot be written: %s", strerror(errno));
    }
    return result;
}
