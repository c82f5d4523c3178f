/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests and objects as JSON.
 */
#include "render/json/render_json_internal.h"

void json_write_object_reference(struct json_stream *stream, const char *name, const struct process *process,
                                 uint32_t kind, uint32_t serial)
{
    if (!json_open_object_if(stream, name, kind != MPILENS_OBJECT_NONE))
        return;
    const struct object *object = find_object(process, kind, serial);
    json_stream_text(stream, "kind", mpilens_object_kind_name((int)kind));
    json_stream_number(stream, "serial", serial);
    json_stream_text(stream, "name", object != NULL ? object->name : NULL);
    json_stream_close(stream);
}

static void write_reference(struct json_stream *stream, const struct operation *request)
{
    if (!json_open_object_if(stream, "object", request->details->object_kind != MPILENS_OBJECT_NONE))
        return;
    json_stream_text(stream, "kind", mpilens_object_kind_name((int)request->details->object_kind));
    json_stream_number(stream, "serial", request->details->object_serial);
    json_stream_close(stream);
}

static void write_peer(struct json_stream *stream, const char *name, const struct operation *request, bool has_peer)
{
    if (has_peer)
        json_write_peer(stream, name, request->peer_local, request->peer_world);
    else
        json_stream_null(stream, name);
}

void json_write_request(struct json_stream *stream, const struct operation *request, const struct site *site,
                        const struct handle *handle)
{
    json_stream_integer(stream, "serial", (int64_t)request->serial);
    json_stream_text(stream, "class", describe_class(operation_class(request)));
    json_stream_text(stream, "status", describe_request_status(request));
    json_stream_boolean(stream, "persistent", operation_is_persistent(request));
    json_write_operation_members(stream, request);
    json_write_operation_details_members(stream, request->details);
    if (handle != NULL)
        json_stream_address(stream, "communicator", handle->communicator);
    else
        json_stream_unique_id(stream, "communicator", request->details->communicator_id);
    write_reference(stream, request);
    json_stream_identifier(stream, "collective", request->details->collective);
    json_stream_number(stream, "offset", request->details->offset);
    json_write_site(stream, "site", site, request->details->site_address);
    const bool is_one_sided = operation_class(request) == MPILENS_OPERATION_ONE_SIDED;
    write_peer(stream, "root", request, request->has_root);
    write_peer(stream, "target", request, is_one_sided && request->peer_local >= 0);
    if ((operation_class(request) & MPILENS_OPERATION_MESSAGE_CLASSES) != 0) {
        json_write_peer(stream, "peer", request->peer_local, request->peer_world);
        json_stream_integer_if(stream, "tag", !request->tag_wild, request->tag);
    }
    if (handle == NULL && (request->flags & MPILENS_OPERATION_PARTITIONED) != 0) {
        json_stream_open_object(stream, "partitions");
        json_stream_number(stream, "count", request->details->partition_count);
        json_stream_null(stream, "marked");
        json_stream_close(stream);
    }
}

void json_write_window(struct json_stream *stream, const struct window *window)
{
    json_write_window_members(stream, window);
    json_write_call(stream, "last_synchronization", window->synchronization, window->synchronization_site,
                    window->synchronization_site_address, &window->synchronization_age_s);
}

void json_write_file(struct json_stream *stream, const struct file *file)
{
    json_write_file_members(stream, file);
    json_stream_open_object(stream, "view");
    json_stream_number(stream, "displacement", file->view_displacement);
    json_stream_text(stream, "etype", file->view_etype);
    json_stream_text(stream, "filetype", file->view_filetype);
    json_stream_text(stream, "datarep", file->view_representation);
    json_stream_close(stream);
}

void json_write_object(struct json_stream *stream, const struct object *object)
{
    json_stream_open_object(stream, NULL);
    json_write_object_members(stream, object);
    json_write_call(stream, "created", object->function, object->site, object->site_address, &object->age_s);
    if (object->window != NULL) {
        json_stream_open_object(stream, "window");
        json_write_window(stream, object->window);
        json_stream_close(stream);
    }
    if (object->file != NULL) {
        json_stream_open_object(stream, "file");
        json_write_file(stream, object->file);
        json_stream_close(stream);
    }
    if (object->window != NULL || object->file != NULL) {
        FORM_rows("recent_collectives", collective_call, object->recent_collectives, object->collective_call_count)
    }
    json_stream_close(stream);
}
