/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Live objects in JSON: LEAK of the schema mpilens/1.
 */
#include "render_json.h"

#include "leaks.h"

json_t *json_leaks(const struct leaks *leaks)
{
    json_t *list = json_array();
    for (size_t i = 0; i < leaks->count; i++) {
        const struct leak *leak = leaks->items[i];
        json_t *ranks = json_array();
        for (size_t j = 0; j < leak->rank_count; j++)
            json_array_append_new(
                ranks, json_pack("{s:i, s:I}", "rank", leak->ranks[j].rank, "count", (json_int_t)leak->ranks[j].count));
        json_array_append_new(
            list,
            json_pack("{s:I, s:s, s:b, s:o, s:o, s:o, s:o}", "count", (json_int_t)leak->count, "kind",
                      leak->kind == MPILENS_OBJECT_REQUEST ? "request" : mpilens_object_kind_name((int)leak->kind),
                      "released", (int)leak->is_released, "function", json_text(leak->function), "site",
                      json_site(leak->site, leak->site_address), "ranks", ranks, "oldest_s",
                      json_seconds(leak->oldest_s)));
    }
    return list;
}
