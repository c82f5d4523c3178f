/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Live objects in JSON: LEAK of the schema mpilens/1.
 */
#include "render/json/render_json_internal.h"

static void write_leak(struct json_stream *stream, const struct leak *leak)
{
    json_stream_open_object(stream, NULL);
    json_stream_integer(stream, "count", (int64_t)leak->count);
    json_stream_text(stream, "kind",
                     leak->kind == MPILENS_OBJECT_REQUEST ? "request" : mpilens_object_kind_name((int)leak->kind));
    json_stream_boolean(stream, "released", leak->is_released);
    json_stream_boolean(stream, "active", leak->is_active);
    json_stream_text(stream, "function", leak->function);
    json_write_site(stream, "site", leak->site, leak->site_address);
    json_stream_open_array(stream, "ranks");
    for (size_t i = 0; i < leak->rank_count; i++) {
        json_stream_open_object(stream, NULL);
        json_stream_integer(stream, "rank", leak->ranks[i].rank);
        json_stream_integer(stream, "count", (int64_t)leak->ranks[i].count);
        json_stream_close(stream);
    }
    json_stream_close(stream);
    json_stream_seconds(stream, "oldest_s", leak->oldest_s);
    json_stream_close(stream);
}

void json_write_leaks(struct json_stream *stream, const struct leaks *leaks)
{
    json_stream_open_array(stream, "leaks");
    for (size_t i = 0; i < leaks->count; i++)
        write_leak(stream, leaks->items[i]);
    json_stream_close(stream);
}
