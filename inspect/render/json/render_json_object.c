/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests and objects as JSON.
 */
#include "render/json/render_json_internal.h"

#include "model/model.h"
#include "mpilens/words.h"
#include "words/words.h"

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
    json_stream_text(stream, "function", request->details->function);
    json_stream_text(stream, "status", describe_request_status(request));
    json_stream_boolean(stream, "persistent", operation_is_persistent(request));
    json_stream_address(stream, "request", request->request);
    if (handle != NULL)
        json_stream_address(stream, "communicator", handle->communicator);
    else
        json_stream_unique_id(stream, "communicator", request->details->communicator_id);
    write_reference(stream, request);
    json_stream_identifier(stream, "collective", request->details->collective);
    json_stream_number(stream, "count", request->details->count);
    json_stream_text(stream, "datatype", request->details->datatype);
    json_stream_number(stream, "bytes", request->details->bytes);
    json_stream_number(stream, "offset", request->details->offset);
    json_stream_address(stream, "buffer", request->buffer);
    json_stream_seconds(stream, "age_s", request->age_s);
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

/* `of_group`: the call that begins an epoch for a group of ranks on this side. */
static const char *describe_epoch(uint32_t epoch, const char *of_group)
{
    if (epoch == MPILENS_EPOCH_NONE)
        return NULL;
    return epoch == MPILENS_EPOCH_GROUP ? of_group : mpilens_epoch_word(epoch);
}

static void write_locks(struct json_stream *stream, const struct window *window, bool with_local_ranks)
{
    json_stream_open_array(stream, "locks");
    for (size_t i = 0; i < window->lock_count; i++) {
        const struct window_lock *lock = &window->locks[i];
        json_stream_open_object(stream, NULL);
        json_write_peer(stream, "target", lock->target_local, lock->target_world);
        json_stream_text(stream, "type", describe_lock(lock->type));
        json_stream_seconds(stream, "age_s", lock->age_s);
        json_write_site(stream, "site", lock->site, lock->site_address);
        if (with_local_ranks)
            json_stream_number(stream, "rank", lock->target_local);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

void json_write_window(struct json_stream *stream, const struct window *window, bool with_local_ranks)
{
    json_stream_unique_id(stream, "id", window->id);
    json_stream_text(stream, "flavor", mpilens_window_flavor_word(window->flavor));
    json_stream_address(stream, "base", window->base);
    json_stream_integer(stream, "bytes", (int64_t)window->bytes);
    json_stream_integer(stream, "displacement_unit", window->displacement_unit);
    json_stream_text(stream, "access_epoch", describe_epoch(window->access_epoch, "start"));
    json_stream_text(stream, "exposure_epoch", describe_epoch(window->exposure_epoch, "post"));
    write_locks(stream, window, with_local_ranks);
    json_write_group(stream, "access_group", window->access_group);
    json_write_group(stream, "exposure_group", window->exposure_group);
    json_write_call(stream, "last_synchronization", window->synchronization, window->synchronization_site,
                    window->synchronization_site_address, &window->synchronization_age_s);
    json_stream_integer(stream, "operations", (int64_t)window->operations);
    json_stream_integer(stream, "operations_since", (int64_t)window->operations_since);
    json_stream_integer(stream, "collective_calls", (int64_t)window->collective_calls);
}

void json_write_file(struct json_stream *stream, const struct file *file)
{
    json_stream_unique_id(stream, "id", file->id);
    json_stream_open_array(stream, "amode");
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if (mpilens_file_mode_word(file->amode & bit) != NULL)
            json_stream_any_text(stream, NULL, mpilens_file_mode_word(bit));
    json_stream_close(stream);
    json_stream_boolean(stream, "atomicity", file->atomicity);
    json_stream_open_object(stream, "view");
    json_stream_number(stream, "displacement", file->view_displacement);
    json_stream_text(stream, "etype", file->view_etype);
    json_stream_text(stream, "filetype", file->view_filetype);
    json_stream_text(stream, "datarep", file->view_representation);
    json_stream_close(stream);
    json_stream_text(stream, "split_collective", file->split_collective);
    json_stream_integer(stream, "operations", (int64_t)file->operations);
    json_stream_integer(stream, "collective_calls", (int64_t)file->collective_calls);
}

void json_write_object(struct json_stream *stream, const struct object *object)
{
    json_stream_open_object(stream, NULL);
    json_stream_text(stream, "kind", mpilens_object_kind_name((int)object->kind));
    json_stream_identifier(stream, "serial", object->serial);
    json_stream_address(stream, "handle", object->handle);
    json_stream_text(stream, "name", object->name);
    json_stream_integer(stream, "references", (int64_t)object->references);
    json_write_call(stream, "created", object->function, object->site, object->site_address, &object->age_s);
    json_stream_boolean(stream, "freed", object->freed);
    json_stream_unique_id(stream, "communicator", object->communicator_id);
    if (object->window != NULL) {
        json_stream_open_object(stream, "window");
        json_write_window(stream, object->window, false);
        json_stream_close(stream);
    }
    if (object->file != NULL) {
        json_stream_open_object(stream, "file");
        json_write_file(stream, object->file);
        json_stream_close(stream);
    }
    if (object->window != NULL || object->file != NULL)
        json_write_collectives(stream, "recent_collectives", object->recent_collectives, object->collective_call_count);
    json_stream_close(stream);
}
