/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes members, texts and users of handles as JSON.
 */
#include "render/json/render_json_internal.h"

void json_write_members_of_group(struct json_stream *stream, const char *name, const struct handle_members *members)
{
    if (!json_open_array_if(stream, name, members->is_known))
        return;
    for (size_t i = 0; i < members->count; i++)
        json_write_range(stream, (int)members->ranges[i].first, (int)members->ranges[i].stride,
                         (int)members->ranges[i].count);
    json_stream_close(stream);
}

void json_write_texts(struct json_stream *stream, const char *name, const struct handle *handle)
{
    if (!json_open_object_if(stream, name, handle->has_texts))
        return;
    for (size_t i = 0; i < handle->text_count; i++)
        json_stream_named_text(stream, handle->texts[i].key, handle->texts[i].value);
    json_stream_close(stream);
}

static void write_user(struct json_stream *stream, const struct mpilens_user_information *user)
{
    json_stream_open_object(stream, NULL);
    json_stream_text(stream, "kind", mpilens_object_kind_name((int)user->kind));
    json_stream_address(stream, "handle", user->handle);
    json_stream_text(stream, "name", user->name);
    json_stream_identifier(stream, "serial", user->serial);
    json_stream_identifier(stream, "operation", user->operation_serial);
    json_stream_close(stream);
}

void json_write_users(struct json_stream *stream, const char *name, const struct handle *handle, uint32_t kind)
{
    json_stream_open_array(stream, name);
    for (size_t i = 0; i < handle->user_count; i++) {
        const struct mpilens_user_information *user = &handle->users[i];
        if (kind == MPILENS_OBJECT_NONE)
            write_user(stream, user);
        else if (kind == user->kind && user->handle != 0)
            json_stream_address(stream, NULL, user->handle);
    }
    json_stream_close(stream);
}
