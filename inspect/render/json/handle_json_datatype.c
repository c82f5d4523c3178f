/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes that were asked for, as JSON.
 */
#include "render/json/render_json_internal.h"

#include "base/base.h"
#include "handle/handle.h"
#include "render/json/json_values.h"

static json_t *arguments(const struct handle_datatype *datatype, size_t first, size_t count)
{
    json_t *array = json_array();
    for (size_t i = first; i < first + count && i < datatype->argument_count; i++)
        json_array_append_new(array, json_integer((json_int_t)datatype->arguments[i]));
    return array;
}

static json_t *bound(const struct handle_datatype *datatype, int64_t value)
{
    return datatype->has_contents && datatype->information.size >= 0 ? json_integer((json_int_t)value) : json_null();
}

static json_t *json_part(const struct handle_datatype *part);

static json_t *json_constructor(const struct handle_datatype *datatype)
{
    const struct mpilens_datatype_contents *contents = &datatype->contents;
    json_t *parts = json_array();
    for (size_t i = 0; i < datatype->part_count; i++)
        json_array_append_new(parts, json_part(&datatype->parts[i]));
    json_t *detail = json_pack("{s:o, s:o, s:o, s:[], s:o, s:b, s:b}", "combiner",
                               datatype->has_contents ? json_text(datatype->combiner) : json_null(), "integers",
                               arguments(datatype, 0, contents->integer_count), "addresses",
                               arguments(datatype, contents->integer_count, contents->address_count), "counts",
                               "datatypes", parts, "arguments_cut", contents->cut != 0, "committed",
                               datatype->information.committed || datatype->object.predefined);
    json_t *sizes = json_pack(
        "{s:o, s:o, s:o, s:o, s:o}", "size", json_number(datatype->information.size), "lower_bound",
        bound(datatype, contents->lower_bound), "extent", bound(datatype, contents->extent), "true_lower_bound",
        bound(datatype, contents->true_lower_bound), "true_extent", bound(datatype, contents->true_extent));
    json_object_update(detail, sizes);
    json_decref(sizes);
    return detail;
}

static json_t *json_part(const struct handle_datatype *part)
{
    const char *summary = handle_datatype_summary(part);
    json_t *object = json_pack("{s:s, s:o, s:o, s:b, s:b, s:o, s:o}", "kind", "datatype", "handle",
                               json_address(part->object.handle), "name", json_text(part->object.name), "predefined",
                               part->object.predefined != 0, "freed_by_application", part->object.freed != 0, "summary",
                               json_any_text(summary), "detail", json_constructor(part));
    json_object_set_new(object, "created",
                        part->object.function[0] != '\0'
                            ? json_pack("{s:o, s:o}", "function", json_text(part->object.function), "site",
                                        json_site(part->site, part->object.site))
                            : json_null());
    return object;
}

static json_t *json_runs(const struct handle_type_map *map)
{
    json_t *array = json_array();
    for (size_t i = 0; i < map->run_count; i++)
        json_array_append_new(array, json_pack("{s:o, s:I, s:I}", "basic", json_any_text(map->runs[i].basic),
                                               "displacement", (json_int_t)map->runs[i].displacement, "count",
                                               (json_int_t)map->runs[i].count));
    return array;
}

static json_t *json_holes(const struct handle_type_map *map)
{
    json_t *array = json_array();
    for (size_t i = 0; i < map->hole_count; i++)
        json_array_append_new(array, json_pack("{s:I, s:I}", "displacement", (json_int_t)map->holes[i].displacement,
                                               "bytes", (json_int_t)map->holes[i].bytes));
    return array;
}

/* The type map as it is kept: one entry for a regular repetition, however long. */
static json_t *json_patterns(const struct handle_type_map *map)
{
    json_t *array = json_array();
    for (size_t i = 0; i < map->count; i++) {
        const struct mpilens_type_map_entry *entry = &map->entries[i];
        json_array_append_new(array,
                              json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "basic", json_any_text(entry->basic),
                                        "displacement", (json_int_t)entry->displacement, "count",
                                        (json_int_t)entry->count, "stride", (json_int_t)entry->stride, "repeat",
                                        (json_int_t)entry->repeat, "repeat_stride", (json_int_t)entry->repeat_stride));
    }
    return array;
}

json_t *json_handle_datatype(const struct handle *handle)
{
    json_t *detail = json_constructor(&handle->datatype);
    const struct handle_type_map *map = &handle->type_map;
    json_object_set_new(detail, "typemap", map->is_known ? json_runs(map) : json_null());
    json_object_set_new(detail, "typemap_truncated", json_boolean(map->is_known && map->is_cut));
    json_object_set_new(detail, "typemap_patterns", map->is_known ? json_patterns(map) : json_null());
    json_object_set_new(detail, "holes", map->has_holes ? json_holes(map) : json_null());
    json_object_set_new(detail, "in_use_by", json_users(handle, MPILENS_OBJECT_NONE));
    return detail;
}
