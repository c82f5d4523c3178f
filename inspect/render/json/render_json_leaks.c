/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Live objects in JSON: LEAK of the schema mpilens/1.
 */
#include "render/json/render_json_internal.h"

#include "render/json/json_values.h"

#include "analysis/analysis.h"

static json_t *json_leak(const struct leak *leak)
{
    json_t *ranks = json_array();
    for (size_t i = 0; i < leak->rank_count; i++)
        json_array_append_new(
            ranks, json_pack("{s:i, s:I}", "rank", leak->ranks[i].rank, "count", (json_int_t)leak->ranks[i].count));
    return json_pack("{s:I, s:s, s:b, s:b, s:o, s:o, s:o, s:o}", "count", (json_int_t)leak->count, "kind",
                     leak->kind == MPILENS_OBJECT_REQUEST ? "request" : mpilens_object_kind_name((int)leak->kind),
                     "released", (int)leak->is_released, "active", (int)leak->is_active, "function",
                     json_text(leak->function), "site", json_site(leak->site, leak->site_address), "ranks", ranks,
                     "oldest_s", json_seconds(leak->oldest_s));
}

void json_write_leaks(struct json_stream *stream, const struct leaks *leaks)
{
    json_stream_open_array(stream, "leaks");
    for (size_t i = 0; i < leaks->count; i++)
        json_stream_add(stream, NULL, json_leak(leaks->items[i]));
    json_stream_close(stream);
}
