/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes handles as JSON: the facts of all kinds, and the kinds with few facts of their own.
 */
#include "render/json/render_json_internal.h"

#include "base/base.h"
#include "handle/handle.h"
#include "mpilens/words.h"
#include "render/json/json_values.h"

static json_t *json_function(const struct handle_function *function)
{
    return json_site(function->site, function->address);
}

static const char *language(const struct handle *handle)
{
    return handle->more.from_fortran ? "fortran" : "c";
}

/* Empty without a function. */
static json_t *json_language(const struct handle *handle)
{
    return handle->object.predefined ? json_null() : json_string(language(handle));
}

static json_t *json_group(const struct handle *handle)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "rank", json_number(handle->group.rank), "size",
                     json_number(handle->group.size), "ranks", json_ranges(&handle->members), "communicators",
                     json_users(handle, MPILENS_OBJECT_COMMUNICATOR), "windows",
                     json_users(handle, MPILENS_OBJECT_WINDOW));
}

static json_t *json_errhandler(const struct handle *handle)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "object", json_text(mpilens_attachable_word(handle->handler.attachable)),
                     "function", json_function(&handle->function), "language", json_language(handle), "attached_to",
                     json_users(handle, MPILENS_OBJECT_NONE));
}

static json_t *json_keyval(const struct handle *handle)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "object",
                     json_text(mpilens_attachable_word(handle->keyval.attachable)), "copy_function",
                     json_function(&handle->copy_function), "delete_function", json_function(&handle->delete_function),
                     "extra_state", json_address(handle->keyval.extra_state), "language", json_language(handle),
                     "attached_to", json_users(handle, MPILENS_OBJECT_NONE));
}

static json_t *json_session_detail(const struct handle *handle)
{
    json_t *sets = handle->has_texts ? json_array() : json_null();
    for (size_t i = 0; i < handle->text_count; i++)
        json_array_append_new(sets, json_any_text(handle->texts[i].key));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "thread_level",
                     json_text(mpilens_thread_level_word((uint32_t)handle->session.thread_level)), "psets", sets,
                     "groups", json_users(handle, MPILENS_OBJECT_GROUP), "communicators",
                     json_users(handle, MPILENS_OBJECT_COMMUNICATOR), "errhandler", json_address(handle->errhandler));
}

/* As `show` has them, and with what belongs to the object itself. */
static json_t *json_window_or_file(const struct handle *handle)
{
    const struct object object = {
        .kind = handle->kind, .name = "", .function = "", .window = handle->window, .file = handle->file};
    json_t *whole = json_application_object(&object);
    json_t *part = json_object_get(whole, handle->kind == MPILENS_OBJECT_WINDOW ? "window" : "file");
    json_t *detail = json_incref(part);
    json_decref(whole);
    if (detail == NULL)
        return json_null();
    json_t *common = json_pack("{s:o, s:o, s:o, s:o, s:o}", "communicator", json_address(handle->communicator),
                               "communicator_name", json_text(handle->communicator_name), "communicator_id",
                               json_unique_id(handle->object.communicator_id), "info", json_texts(handle), "errhandler",
                               json_address(handle->errhandler));
    json_object_update(detail, common);
    json_decref(common);
    json_object_set_new(detail, "requests", json_users(handle, MPILENS_OBJECT_REQUEST));
    if (handle->kind == MPILENS_OBJECT_FILE) {
        json_object_set_new(detail, "filename", json_text(handle->object.name));
        return detail;
    }
    const struct window *window = handle->window;
    json_t *group = json_null();
    if (window != NULL && window->access_group != NULL)
        group = json_group_members(window->access_group);
    else if (window != NULL && window->exposure_group != NULL)
        group = json_group_members(window->exposure_group);
    json_object_set_new(detail, "group", group);
    json_t *locks = json_object_get(detail, "locks");
    for (size_t i = 0; window != NULL && i < json_array_size(locks); i++)
        json_object_set_new(json_array_get(locks, i), "rank", json_number(window->locks[i].target_local));
    return detail;
}

static json_t *json_partition_run(uint64_t first, uint64_t count, json_t *marked)
{
    return json_pack("{s:I, s:I, s:o}", "first", (json_int_t)first, "count", (json_int_t)count, "marked", marked);
}

/* Runs of partitions that are equal. */
static json_t *json_partitions(const struct handle *handle)
{
    json_t *array = json_array();
    uint64_t next = 0;
    for (size_t i = 0; i < handle->partition_run_count; i++) {
        const struct mpilens_partition_run *run = &handle->partitions[i];
        json_array_append_new(array, json_partition_run(run->first, run->count, json_boolean(run->marked != 0)));
        next = (uint64_t)run->first + run->count;
    }
    if (handle->request.details->partition_count > (int64_t)next)
        json_array_append_new(
            array, json_partition_run(next, (uint64_t)handle->request.details->partition_count - next, json_null()));
    return array;
}

static json_t *json_request_detail(const struct handle *handle)
{
    const struct operation *request = &handle->request;
    json_t *detail = json_object(), *operation = handle->operation != NULL ? json_object() : json_null();
    json_write_request(&(struct json_members){.object = detail}, request, handle->created_site);
    if (handle->operation != NULL)
        json_write_operation(&(struct json_members){.object = operation}, handle->operation);
    const bool is_partitioned = (request->flags & MPILENS_OPERATION_PARTITIONED) != 0;
    const bool is_released = request->state == MPILENS_OPERATION_RELEASED;
    json_object_set_new(detail, "sharers", handle->sharers > 0 ? json_integer(handle->sharers) : json_null());
    json_object_set_new(detail, "to_nobody", json_boolean(handle->is_to_nobody));
    json_object_set_new(detail, "active", json_boolean(operation_is_active(request)));
    json_object_set_new(detail, "complete", is_released ? json_null() : json_boolean(request->complete));
    json_object_set_new(detail, "operation", operation);
    json_object_set_new(detail, "partitions", is_partitioned ? json_partitions(handle) : json_null());
    json_object_set_new(detail, "communicator", json_address(handle->communicator));
    json_object_set_new(detail, "communicator_id", json_unique_id(request->details->communicator_id));
    return detail;
}

static json_t *json_status_detail(const struct mpilens_status_information *status)
{
    if (status->ignored)
        return json_pack("{s:b, s:n, s:n, s:n, s:n, s:n}", "ignored", 1, "source", "tag", "error", "bytes",
                         "cancelled");
    return json_pack("{s:b, s:i, s:i, s:i, s:o, s:o}", "ignored", 0, "source", (int)status->source, "tag",
                     (int)status->tag, "error", (int)status->error, "bytes", json_number(status->bytes), "cancelled",
                     status->cancelled >= 0 ? json_boolean(status->cancelled != 0) : json_null());
}

static json_t *json_message_detail(const struct handle *handle)
{
    const struct matched_message *message = handle->message;
    return json_pack("{s:o, s:o, s:o, s:o}", "communicator", json_address(handle->communicator), "source",
                     message != NULL ? json_number(message->source_local) : json_null(), "tag",
                     message != NULL ? json_integer(message->tag) : json_null(), "bytes",
                     message != NULL ? json_number(message->bytes) : json_null());
}

static json_t *json_detail(const struct handle *handle)
{
    if (handle->is_null)
        return json_null();
    switch (handle->kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return json_handle_communicator(handle);
    case MPILENS_OBJECT_DATATYPE:
        return json_handle_datatype(handle);
    case MPILENS_OBJECT_GROUP:
        return json_group(handle);
    case MPILENS_OBJECT_OP:
        return json_pack("{s:o, s:b, s:o, s:o}", "function", json_function(&handle->function), "commutative",
                         handle->op.commutative != 0, "language", json_language(handle), "in_use_by",
                         json_users(handle, MPILENS_OBJECT_NONE));
    case MPILENS_OBJECT_ERRHANDLER:
        return json_errhandler(handle);
    case MPILENS_OBJECT_INFO:
        return json_pack("{s:o, s:o}", "entries", json_texts(handle), "used_by",
                         json_users(handle, MPILENS_OBJECT_NONE));
    case MPILENS_OBJECT_KEYVAL:
        return json_keyval(handle);
    case MPILENS_OBJECT_SESSION:
        return json_session_detail(handle);
    case MPILENS_OBJECT_WINDOW:
    case MPILENS_OBJECT_FILE:
        return json_window_or_file(handle);
    case MPILENS_OBJECT_MESSAGE:
        return json_message_detail(handle);
    case MPILENS_OBJECT_REQUEST:
        return json_request_detail(handle);
    case MPILENS_OBJECT_STATUS:
        return json_status_detail(&handle->status);
    default:
        return json_null();
    }
}

/* Only keys of attributes may be 0. */
static json_t *json_value(const struct handle *handle)
{
    return handle->kind == MPILENS_OBJECT_KEYVAL && handle->value == 0 && !handle->is_null
               ? json_string("0x0")
               : json_address(handle->value);
}

static json_t *json_freed(const struct handle *handle)
{
    if (handle->more.freed_function[0] == '\0')
        return json_null();
    return json_pack("{s:o, s:o}", "function", json_text(handle->more.freed_function), "site",
                     json_site(handle->freed_site, handle->more.freed_site));
}

json_t *json_handle(const struct handle *handle)
{
    const struct mpilens_object_information *object = &handle->object;
    const bool is_object = !handle->is_null && handle->kind != MPILENS_OBJECT_STATUS;
    const char *summary = handle_summary(handle);
    json_t *created = json_null();
    if (is_object && object->function[0] != '\0')
        created = json_pack("{s:o, s:o, s:o}", "function", json_text(object->function), "site",
                            json_site(handle->created_site, object->site), "age_s", json_seconds(handle->age_s));
    json_t *result = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:o}", "kind", mpilens_object_kind_name((int)handle->kind),
        "rank", json_number(handle->rank), "handle", json_value(handle), "fortran",
        handle->more.has_fortran_handle ? json_integer((json_int_t)handle->more.fortran_handle) : json_null(), "name",
        json_text(object->name), "predefined", object->predefined != 0, "freed_by_application", object->freed != 0,
        "freed_by_mpi", handle_is_gone(handle), "created", created, "summary", json_any_text(summary), "detail",
        json_detail(handle));
    json_object_set_new(result, "null", json_boolean(handle->is_null));
    json_object_set_new(result, "freed", json_freed(handle));
    json_object_set_new(result, "variable", json_text(handle->variable));
    if (is_object && handle->kind != MPILENS_OBJECT_REQUEST) {
        json_object_set_new(result, "serial", json_identifier(object->serial));
        json_object_set_new(result, "references", json_integer(object->references));
        json_object_set_new(result, "language", json_language(handle));
        json_object_set_new(result, "users", json_users(handle, MPILENS_OBJECT_NONE));
    }
    return result;
}
