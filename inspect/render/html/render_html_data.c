/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the data that the script of the page reads.
 */
#include "render/html/render_html_internal.h"

/* Inside of JSON these are parts of texts, wherever they are. Escaped, none of them can end the element or begin
 * another. */
static int write_escaped(const char *buffer, size_t bytes, void *context)
{
    FILE *stream = context;
    for (size_t i = 0; i < bytes; i++)
        if (buffer[i] == '<' || buffer[i] == '>' || buffer[i] == '&')
            fprintf(stream, "\\u%04x", (unsigned)buffer[i]);
        else
            fputc(buffer[i], stream);
    return ferror(stream) ? -1 : 0;
}

void html_write_data(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                     const struct picture *picture, const struct render_options *options)
{
    json_t *data = page_rows(job, labels, options);
    json_t *nodes = json_array();
    for (size_t i = 0; i < picture->node_count; i++) {
        const char *ranks = page_ranks(&picture->nodes[i].ranks);
        json_array_append_new(nodes, json_string(ranks));
    }
    json_object_set_new(data, "nodes", nodes);
    json_object_set_new(data, "size", json_integer(job->size > 0 ? job->size : (json_int_t)job->process_count));
    json_dump_callback(data, write_escaped, stream, JSON_COMPACT | JSON_ENSURE_ASCII);
    json_decref(data);
}
