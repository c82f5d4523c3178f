/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes that were asked for, as JSON.
 */
#include "render/json/render_json_internal.h"

#include "base/base.h"
#include "handle/handle.h"

static void write_arguments(struct json_stream *stream, const char *name, const struct handle_datatype *datatype,
                            size_t first, size_t count)
{
    json_stream_open_array(stream, name);
    for (size_t i = first; i < first + count && i < datatype->argument_count; i++)
        json_stream_integer(stream, NULL, (int64_t)datatype->arguments[i]);
    json_stream_close(stream);
}

static void write_part(struct json_stream *stream, const struct handle_datatype *part);

static void write_constructor(struct json_stream *stream, const struct handle_datatype *datatype)
{
    const struct mpilens_datatype_contents *contents = &datatype->contents;
    const bool has_bounds = datatype->has_contents && datatype->information.size >= 0;
    json_stream_text(stream, "combiner", datatype->has_contents ? datatype->combiner : NULL);
    write_arguments(stream, "integers", datatype, 0, contents->integer_count);
    write_arguments(stream, "addresses", datatype, contents->integer_count, contents->address_count);
    write_arguments(stream, "counts", datatype, 0, 0);
    json_stream_open_array(stream, "datatypes");
    for (size_t i = 0; i < datatype->part_count; i++)
        write_part(stream, &datatype->parts[i]);
    json_stream_close(stream);
    json_stream_boolean(stream, "arguments_cut", contents->cut != 0);
    json_stream_boolean(stream, "committed", datatype->information.committed || datatype->object.predefined);
    json_stream_number(stream, "size", datatype->information.size);
    json_stream_integer_if(stream, "lower_bound", has_bounds, contents->lower_bound);
    json_stream_integer_if(stream, "extent", has_bounds, contents->extent);
    json_stream_integer_if(stream, "true_lower_bound", has_bounds, contents->true_lower_bound);
    json_stream_integer_if(stream, "true_extent", has_bounds, contents->true_extent);
}

static void write_part(struct json_stream *stream, const struct handle_datatype *part)
{
    json_stream_open_object(stream, NULL);
    json_stream_any_text(stream, "kind", "datatype");
    json_stream_address(stream, "handle", part->object.handle);
    json_stream_text(stream, "name", part->object.name);
    json_stream_boolean(stream, "predefined", part->object.predefined != 0);
    json_stream_boolean(stream, "freed_by_application", part->object.freed != 0);
    json_stream_any_text(stream, "summary", handle_datatype_summary(part));
    json_stream_open_object(stream, "detail");
    write_constructor(stream, part);
    json_stream_close(stream);
    json_write_call(stream, "created", part->object.function, part->site, part->object.site, NULL);
    json_stream_close(stream);
}

static void write_runs(struct json_stream *stream, const struct handle_type_map *map)
{
    if (!json_open_array_if(stream, "typemap", map->is_known))
        return;
    for (size_t i = 0; i < map->run_count; i++) {
        json_stream_open_object(stream, NULL);
        json_stream_any_text(stream, "basic", map->runs[i].basic);
        json_stream_integer(stream, "displacement", map->runs[i].displacement);
        json_stream_integer(stream, "count", (int64_t)map->runs[i].count);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

/* The type map as it is kept: one entry for a regular repetition, however long. */
static void write_patterns(struct json_stream *stream, const struct handle_type_map *map)
{
    if (!json_open_array_if(stream, "typemap_patterns", map->is_known))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const struct mpilens_type_map_entry *entry = &map->entries[i];
        json_stream_open_object(stream, NULL);
        json_stream_any_text(stream, "basic", entry->basic);
        json_stream_integer(stream, "displacement", entry->displacement);
        json_stream_integer(stream, "count", (int64_t)entry->count);
        json_stream_integer(stream, "stride", entry->stride);
        json_stream_integer(stream, "repeat", (int64_t)entry->repeat);
        json_stream_integer(stream, "repeat_stride", entry->repeat_stride);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static void write_holes(struct json_stream *stream, const struct handle_type_map *map)
{
    if (!json_open_array_if(stream, "holes", map->has_holes))
        return;
    for (size_t i = 0; i < map->hole_count; i++) {
        json_stream_open_object(stream, NULL);
        json_stream_integer(stream, "displacement", map->holes[i].displacement);
        json_stream_integer(stream, "bytes", map->holes[i].bytes);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

void json_write_handle_datatype(struct json_stream *stream, const struct handle *handle)
{
    const struct handle_type_map *map = &handle->type_map;
    write_constructor(stream, &handle->datatype);
    write_runs(stream, map);
    json_stream_boolean(stream, "typemap_truncated", map->is_known && map->is_cut);
    write_patterns(stream, map);
    write_holes(stream, map);
    json_write_users(stream, "in_use_by", handle, MPILENS_OBJECT_NONE);
}
