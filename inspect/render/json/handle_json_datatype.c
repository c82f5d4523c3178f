/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes that were asked for, as JSON.
 */
#include "render/json/handle_json_datatype.h"

#include "base/allocation.h"
#include "handle/handle_datatype.h"
#include "handle/handle_describe.h"
#include "handle/handle_summary.h"
#include "render/json/handle_json_values.h"
#include "render/json/json_values.h"

#include <stdlib.h>

/* Runs of the type map, and holes, that are written out. */
enum { MOST_RUNS = 1024 };

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
    char *summary = handle_datatype_summary(part);
    json_t *object = json_pack("{s:s, s:o, s:o, s:b, s:b, s:o, s:o}", "kind", "datatype", "handle",
                               json_address(part->object.handle), "name", json_text(part->object.name), "predefined",
                               part->object.predefined != 0, "freed_by_application", part->object.freed != 0, "summary",
                               json_any_text(summary), "detail", json_constructor(part));
    json_object_set_new(object, "created",
                        part->object.function[0] != '\0'
                            ? json_pack("{s:o, s:o}", "function", json_text(part->object.function), "site",
                                        json_site(part->site, part->object.site))
                            : json_null());
    free(summary);
    return object;
}

static json_t *json_runs(const struct handle_type_run *runs, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_pack("{s:o, s:I, s:I}", "basic", json_any_text(runs[i].basic), "displacement",
                                               (json_int_t)runs[i].displacement, "count", (json_int_t)runs[i].count));
    return array;
}

static json_t *json_holes(const struct handle_hole *holes, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_pack("{s:I, s:I}", "displacement", (json_int_t)holes[i].displacement, "bytes",
                                               (json_int_t)holes[i].bytes));
    return array;
}

/* The type map as it is kept: one entry for a regular repetition, however long. */
static json_t *json_patterns(const struct handle_type_map *map)
{
    json_t *array = json_array();
    for (size_t i = 0; i < map->count && i < MOST_RUNS; i++) {
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
    struct handle_type_run *runs = allocate(MOST_RUNS * sizeof *runs);
    bool is_cut;
    size_t hole_count;
    const size_t count = handle_expand_type_map(&handle->type_map, runs, MOST_RUNS, &is_cut);
    struct handle_hole *holes = handle_find_holes(&handle->datatype, runs, count, &hole_count);
    const bool is_known = handle->type_map.is_known;
    json_object_set_new(detail, "typemap", is_known ? json_runs(runs, count) : json_null());
    json_object_set_new(detail, "typemap_truncated", json_boolean(is_known && is_cut));
    json_object_set_new(detail, "typemap_patterns", is_known ? json_patterns(&handle->type_map) : json_null());
    /* Behind the last run that is written out, nothing is known to be a hole. */
    json_object_set_new(detail, "holes",
                        is_known && holes != NULL
                            ? json_holes(holes, is_cut && hole_count > 0 ? hole_count - 1 : hole_count)
                            : json_null());
    json_object_set_new(detail, "in_use_by", json_users(handle, MPILENS_OBJECT_NONE));
    free(holes);
    free(runs);
    return detail;
}
