/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Peers, places, calls and groups, which many objects have.
 */
#include "render/json/render_json_internal.h"

bool json_open_object_if(struct json_stream *stream, const char *name, bool is_known)
{
    if (is_known)
        json_stream_open_object(stream, name);
    else
        json_stream_null(stream, name);
    return is_known;
}

bool json_open_array_if(struct json_stream *stream, const char *name, bool is_known)
{
    if (is_known)
        json_stream_open_array(stream, name);
    else
        json_stream_null(stream, name);
    return is_known;
}

void json_write_boolean_if(struct json_stream *stream, const char *name, bool is_known, bool value)
{
    if (is_known)
        json_stream_boolean(stream, name, value);
    else
        json_stream_null(stream, name);
}

void json_write_peer(struct json_stream *stream, const char *name, int32_t local, int32_t world)
{
    json_stream_open_object(stream, name);
    json_stream_number(stream, "local", local);
    json_stream_number(stream, "world", world);
    json_stream_close(stream);
}

void json_write_site_members(struct json_stream *stream, const struct site *site, uint64_t address)
{
    static const struct site unknown = {0};
    const struct site *known = site != NULL ? site : &unknown;
    json_stream_address(stream, "address", address);
    json_stream_text(stream, "module", known->module);
    json_stream_address(stream, "offset", known->offset);
    json_stream_text(stream, "function", known->function);
    json_stream_text(stream, "file", known->file);
    json_stream_integer_if(stream, "line", known->line > 0, known->line);
    json_stream_text(stream, "path", known->path);
    if (known->called != NULL)
        json_stream_text(stream, "called", known->called);
}

void json_write_site(struct json_stream *stream, const char *name, const struct site *site, uint64_t address)
{
    if (!json_open_object_if(stream, name, address != 0))
        return;
    json_write_site_members(stream, site, address);
    json_stream_close(stream);
}

void json_write_call(struct json_stream *stream, const char *name, const char *function, const struct site *site,
                     uint64_t address, const double *age_s)
{
    if (!json_open_object_if(stream, name, function[0] != '\0' || address != 0))
        return;
    json_stream_text(stream, "function", function);
    json_write_site(stream, "site", site, address);
    if (age_s != NULL)
        json_stream_seconds(stream, "age_s", *age_s);
    json_stream_close(stream);
}

void json_write_range(struct json_stream *stream, int first, int stride, int count)
{
    json_stream_open_object(stream, NULL);
    json_stream_number(stream, "first", first);
    json_stream_integer(stream, "stride", count > 1 ? stride : 1);
    json_stream_integer(stream, "count", count);
    json_stream_close(stream);
}

void json_write_group(struct json_stream *stream, const char *name, const struct group *group)
{
    if (!json_open_array_if(stream, name, group != NULL))
        return;
    for (size_t i = 0; i < group->range_count; i++)
        json_write_range(stream, group->ranges[i].first, group->ranges[i].stride, group->ranges[i].count);
    json_stream_close(stream);
}

void json_write_file_mode(struct json_stream *stream, const char *name, uint32_t mode)
{
    json_stream_open_array(stream, name);
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if (mpilens_file_mode_word(mode & bit) != NULL)
            json_stream_any_text(stream, NULL, mpilens_file_mode_word(bit));
    json_stream_close(stream);
}

void json_write_epoch(struct json_stream *stream, const char *name, enum mpilens_epoch epoch, const char *of_group)
{
    const char *word = epoch == MPILENS_EPOCH_GROUP ? of_group : mpilens_epoch_word(epoch);
    json_stream_text(stream, name, epoch != MPILENS_EPOCH_NONE ? word : NULL);
}
