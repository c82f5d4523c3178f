/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests and objects as JSON.
 */
#include "render/json/render_json_internal.h"

#include "model/model.h"
#include "mpilens/words.h"
#include "render/json/json_values.h"
#include "words/words.h"

json_t *json_object_reference(const struct process *process, uint32_t kind, uint32_t serial)
{
    if (kind == MPILENS_OBJECT_NONE)
        return json_null();
    json_t *reference =
        json_pack("{s:s, s:o}", "kind", mpilens_object_kind_name((int)kind), "serial", json_number(serial));
    const struct object *object = find_object(process, kind, serial);
    json_object_set_new(reference, "name", json_text(object != NULL ? object->name : NULL));
    return reference;
}

static void write_reference(const struct json_members *members, const struct operation *request)
{
    if (request->details->object_kind == MPILENS_OBJECT_NONE) {
        json_member_null(members, "object");
        return;
    }
    const struct json_members reference = json_member_open(members, "object");
    json_member_text(&reference, "kind", mpilens_object_kind_name((int)request->details->object_kind));
    json_member_number(&reference, "serial", request->details->object_serial);
    json_member_close(&reference);
}

static void write_peer(const struct json_members *members, const char *name, const struct operation *request,
                       bool has_peer)
{
    if (has_peer)
        json_member_peer(members, name, request->peer_local, request->peer_world);
    else
        json_member_null(members, name);
}

void json_write_request(const struct json_members *members, const struct operation *request, const struct site *site)
{
    json_member_integer(members, "serial", (int64_t)request->serial);
    json_member_text(members, "class", describe_class(operation_class(request)));
    json_member_text(members, "function", request->details->function);
    json_member_text(members, "status", describe_request_status(request));
    json_member_boolean(members, "persistent", operation_is_persistent(request));
    json_member_address(members, "request", request->request);
    json_member_unique_id(members, "communicator", request->details->communicator_id);
    write_reference(members, request);
    json_member_identifier(members, "collective", request->details->collective);
    json_member_number(members, "count", request->details->count);
    json_member_text(members, "datatype", request->details->datatype);
    json_member_number(members, "bytes", request->details->bytes);
    json_member_number(members, "offset", request->details->offset);
    json_member_address(members, "buffer", request->buffer);
    json_member_seconds(members, "age_s", request->age_s);
    json_member_site(members, "site", site, request->details->site_address);
    const bool is_one_sided = operation_class(request) == MPILENS_OPERATION_ONE_SIDED;
    write_peer(members, "root", request, request->has_root);
    write_peer(members, "target", request, is_one_sided && request->peer_local >= 0);
    if ((operation_class(request) & MPILENS_OPERATION_MESSAGE_CLASSES) != 0) {
        json_member_peer(members, "peer", request->peer_local, request->peer_world);
        json_member_tag(members, "tag", request->tag_wild, request->tag);
    }
    if ((request->flags & MPILENS_OPERATION_PARTITIONED) != 0) {
        const struct json_members partitions = json_member_open(members, "partitions");
        json_member_number(&partitions, "count", request->details->partition_count);
        json_member_null(&partitions, "marked");
        json_member_close(&partitions);
    }
}

/* `of_group`: the call that begins an epoch for a group of ranks on this side. */
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
                     "access_group", json_group_members(window->access_group), "exposure_group",
                     json_group_members(window->exposure_group), "last_synchronization", json_synchronization(window),
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
