/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the data that the script of the page reads.
 */
#include "render/html/render_html_internal.h"

#include <time.h>

void html_write_data(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                     const struct picture *picture, const struct page_strip *strip,
                     const struct render_options *options)
{
    struct json_stream data = {.file = stream, .style = JSON_IN_HTML};
    json_stream_open_object(&data, NULL);
    page_write_rows(&data, job, labels, options);
    json_stream_open_array(&data, "nodes");
    for (size_t i = 0; i < picture->node_count; i++)
        json_stream_any_text(&data, NULL, ranks_list(&picture->nodes[i].ranks));
    json_stream_close(&data);
    page_write_strip(&data, strip);
    json_stream_seconds(&data, "again_s", options->again_s > 0 ? options->again_s : -1);
    json_stream_integer(&data, "as_of", (int64_t)time(NULL));
    json_stream_integer(&data, "size", job->size > 0 ? job->size : (int64_t)job->process_count);
    json_stream_close(&data);
}
