/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests and objects as JSON.
 */
#include "render/json/render_json_object.h"

#include "model/process_index.h"
#include "mpilens/words.h"
#include "render/json/json_values.h"
#include "render/json/render_json_communicator.h"
#include "words/describe_object.h"

json_t *json_object_reference(const struct process *process, uint32_t kind, uint32_t serial, bool with_name)
{
    if (kind == MPILENS_OBJECT_NONE)
        return json_null();
    json_t *reference =
        json_pack("{s:s, s:o}", "kind", mpilens_object_kind_name((int)kind), "serial", json_number(serial));
    const struct object *object = find_object(process, kind, serial);
    if (with_name)
        json_object_set_new(reference, "name", json_text(object != NULL ? object->name : NULL));
    return reference;
}

json_t *json_request(const struct process *process, const struct request *request)
{
    json_t *object =
        json_pack("{s:I, s:s, s:o, s:s, s:b, s:o, s:o, s:o}", "serial", (json_int_t)request->serial, "class",
                  describe_class(request->operation_class), "function", json_text(request->function), "status",
                  describe_request_status(request), "persistent", (int)request->persistent, "request",
                  json_address(request->handle), "communicator", json_unique_id(request->communicator_id), "object",
                  json_object_reference(process, request->object_kind, request->object_serial, false));
    json_t *rest = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "collective",
                             json_identifier(request->collective), "count", json_number(request->count), "datatype",
                             json_text(request->datatype), "bytes", json_number(request->bytes), "offset",
                             json_number(request->offset), "buffer", json_address(request->buffer), "age_s",
                             json_seconds(request->age_s), "site", json_site(request->site, request->site_address));
    json_object_update(object, rest);
    json_decref(rest);
    const bool has_target = request->operation_class == MPILENS_OPERATION_ONE_SIDED && request->peer_local >= 0;
    json_object_set_new(object, "root",
                        request->has_root ? json_peer(request->peer_local, request->peer_world) : json_null());
    json_object_set_new(object, "target",
                        has_target ? json_peer(request->peer_local, request->peer_world) : json_null());
    if ((request->operation_class & MPILENS_OPERATION_MESSAGE_CLASSES) != 0) {
        json_object_set_new(object, "peer", json_peer(request->peer_local, request->peer_world));
        json_object_set_new(object, "tag", json_tag(request->tag_wild, request->tag));
    }
    if ((request->flags & MPILENS_OPERATION_PARTITIONED) != 0)
        json_object_set_new(object, "partitions",
                            json_pack("{s:o, s:n}", "count", json_number(request->partition_count), "marked"));
    return object;
}

/* `of_group`: what begins one for a group of ranks on this side. */
static json_t *json_epoch(uint32_t epoch, const char *of_group)
{
    if (epoch == MPILENS_EPOCH_NONE)
        return json_null();
    return json_text(epoch == MPILENS_EPOCH_GROUP ? of_group : mpilens_epoch_word(epoch));
}

static json_t *json_locks(const struct window *window)
{
    json_t *array = json_array();
    for (size_t i = 0; i < window->lock_count; i++) {
        const struct window_lock *lock = &window->locks[i];
        json_array_append_new(array, json_pack("{s:o, s:s, s:o, s:o}", "target",
                                               json_peer(lock->target_local, lock->target_world), "type",
                                               describe_lock(lock->type), "age_s", json_seconds(lock->age_s), "site",
                                               json_site(lock->site, lock->site_address)));
    }
    return array;
}

static json_t *json_synchronization(const struct window *window)
{
    if (window->synchronization[0] == '\0')
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "function", json_text(window->synchronization), "age_s",
                     json_seconds(window->synchronization_age_s), "site",
                     json_site(window->synchronization_site, window->synchronization_site_address));
}

static json_t *json_window(const struct window *window)
{
    return json_pack("{s:o, s:o, s:o, s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I}", "id",
                     json_unique_id(window->id), "flavor", json_text(mpilens_window_flavor_word(window->flavor)),
                     "base", json_address(window->base), "bytes", (json_int_t)window->bytes, "displacement_unit",
                     (int)window->displacement_unit, "access_epoch", json_epoch(window->access_epoch, "start"),
                     "exposure_epoch", json_epoch(window->exposure_epoch, "post"), "locks", json_locks(window),
                     "access_group", json_members(window->access_group), "exposure_group",
                     json_members(window->exposure_group), "last_synchronization", json_synchronization(window),
                     "operations", (json_int_t)window->operations, "operations_since",
                     (json_int_t)window->operations_since, "collective_calls", (json_int_t)window->collective_count);
}

static json_t *json_mode(uint32_t mode)
{
    json_t *array = json_array();
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        const char *word = mpilens_file_mode_word(mode & bit);
        if (word != NULL)
            json_array_append_new(array, json_string(word));
    }
    return array;
}

static json_t *json_file(const struct file *file)
{
    json_t *view = json_pack("{s:o, s:o, s:o, s:o}", "displacement", json_number(file->view_displacement), "etype",
                             json_text(file->view_etype), "filetype", json_text(file->view_filetype), "datarep",
                             json_text(file->view_representation));
    return json_pack("{s:o, s:o, s:b, s:o, s:o, s:I, s:I}", "id", json_unique_id(file->id), "amode",
                     json_mode(file->mode), "atomicity", (int)file->atomicity, "view", view, "split_collective",
                     json_text(file->split_collective), "operations", (json_int_t)file->operations, "collective_calls",
                     (json_int_t)file->collective_count);
}

static json_t *json_creation(const struct object *object)
{
    if (object->function[0] == '\0' && object->site_address == 0)
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "function", json_text(object->function), "site",
                     json_site(object->site, object->site_address), "age_s", json_seconds(object->age_s));
}

json_t *json_application_object(const struct object *object)
{
    json_t *result = json_pack("{s:s, s:o, s:o, s:o, s:I, s:o, s:b, s:o}", "kind",
                               mpilens_object_kind_name((int)object->kind), "serial", json_identifier(object->serial),
                               "handle", json_address(object->handle), "name", json_text(object->name), "references",
                               (json_int_t)object->references, "created", json_creation(object), "freed",
                               (int)object->freed, "communicator", json_unique_id(object->communicator_id));
    if (object->window != NULL)
        json_object_set_new(result, "window", json_window(object->window));
    if (object->file != NULL)
        json_object_set_new(result, "file", json_file(object->file));
    if (object->window != NULL || object->file != NULL)
        json_object_set_new(result, "recent_collectives",
                            json_collectives(object->collectives, object->collective_call_count));
    return result;
}
