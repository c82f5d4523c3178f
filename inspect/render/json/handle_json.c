/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes handles as JSON: the facts of all kinds, and the kinds with few facts of their own.
 */
#include "render/json/render_json_internal.h"

#include "base/base.h"
#include "handle/handle.h"

static void write_function(struct json_stream *stream, const char *name, const struct handle_function *function)
{
    json_write_site(stream, name, function->site, function->address);
}

/* Empty without a function. */
static void write_language(struct json_stream *stream, const struct handle *handle)
{
    const char *language = handle->more.from_fortran ? "fortran" : "c";
    json_stream_text(stream, "language", handle->object.predefined ? NULL : language);
}

static void write_group(struct json_stream *stream, const struct handle *handle)
{
    json_stream_number(stream, "rank", handle->group.rank);
    json_stream_number(stream, "size", handle->group.size);
    json_write_members_of_group(stream, "ranks", &handle->members);
    json_write_users(stream, "communicators", handle, MPILENS_OBJECT_COMMUNICATOR);
    json_write_users(stream, "windows", handle, MPILENS_OBJECT_WINDOW);
}

static void write_op(struct json_stream *stream, const struct handle *handle)
{
    write_function(stream, "function", &handle->function);
    json_stream_boolean(stream, "commutative", handle->op.commutative != 0);
    write_language(stream, handle);
    json_write_users(stream, "in_use_by", handle, MPILENS_OBJECT_NONE);
}

static void write_errhandler(struct json_stream *stream, const struct handle *handle)
{
    json_stream_text(stream, "object", mpilens_attachable_word(handle->handler.attachable));
    write_function(stream, "function", &handle->function);
    write_language(stream, handle);
    json_write_users(stream, "attached_to", handle, MPILENS_OBJECT_NONE);
}

static void write_info(struct json_stream *stream, const struct handle *handle)
{
    json_write_texts(stream, "entries", handle);
    json_write_users(stream, "used_by", handle, MPILENS_OBJECT_NONE);
}

static void write_keyval(struct json_stream *stream, const struct handle *handle)
{
    json_stream_text(stream, "object", mpilens_attachable_word(handle->keyval.attachable));
    write_function(stream, "copy_function", &handle->copy_function);
    write_function(stream, "delete_function", &handle->delete_function);
    json_stream_address(stream, "extra_state", handle->keyval.extra_state);
    write_language(stream, handle);
    json_write_users(stream, "attached_to", handle, MPILENS_OBJECT_NONE);
}

static void write_session(struct json_stream *stream, const struct handle *handle)
{
    json_stream_text(stream, "thread_level", mpilens_thread_level_word((uint32_t)handle->session.thread_level));
    if (json_open_array_if(stream, "psets", handle->has_texts)) {
        for (size_t i = 0; i < handle->text_count; i++)
            json_stream_any_text(stream, NULL, handle->texts[i].key);
        json_stream_close(stream);
    }
    json_write_users(stream, "groups", handle, MPILENS_OBJECT_GROUP);
    json_write_users(stream, "communicators", handle, MPILENS_OBJECT_COMMUNICATOR);
    json_stream_address(stream, "errhandler", handle->errhandler);
}

/* Members of windows and files that `show` leaves out. */
static void write_own(struct json_stream *stream, const struct handle *handle)
{
    json_stream_address(stream, "communicator", handle->communicator);
    json_stream_text(stream, "communicator_name", handle->communicator_name);
    json_stream_unique_id(stream, "communicator_id", handle->object.communicator_id);
    json_write_texts(stream, "info", handle);
    json_stream_address(stream, "errhandler", handle->errhandler);
    json_write_users(stream, "requests", handle, MPILENS_OBJECT_REQUEST);
}

static void write_window(struct json_stream *stream, const struct handle *handle)
{
    const struct window *window = handle->window;
    json_write_window(stream, window);
    write_own(stream, handle);
    json_write_group(stream, "group", window->access_group != NULL ? window->access_group : window->exposure_group);
}

static void write_file(struct json_stream *stream, const struct handle *handle)
{
    json_write_file(stream, handle->file);
    write_own(stream, handle);
    json_stream_text(stream, "filename", handle->object.name);
}

static void open_partition_run(struct json_stream *stream, uint64_t first, uint64_t count)
{
    json_stream_open_object(stream, NULL);
    json_stream_integer(stream, "first", (int64_t)first);
    json_stream_integer(stream, "count", (int64_t)count);
}

/* Runs of partitions that are equal. */
static void write_partitions(struct json_stream *stream, const struct handle *handle)
{
    uint64_t next = 0;
    if (!json_open_array_if(stream, "partitions", (handle->request.flags & MPILENS_OPERATION_PARTITIONED) != 0))
        return;
    for (size_t i = 0; i < handle->partition_run_count; i++) {
        const struct mpilens_partition_run *run = &handle->partitions[i];
        open_partition_run(stream, run->first, run->count);
        json_stream_boolean(stream, "marked", run->marked != 0);
        json_stream_close(stream);
        next = (uint64_t)run->first + run->count;
    }
    if (handle->request.details->partition_count > (int64_t)next) {
        open_partition_run(stream, next, (uint64_t)handle->request.details->partition_count - next);
        json_stream_null(stream, "marked");
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static void write_request(struct json_stream *stream, const struct handle *handle)
{
    const struct operation *request = &handle->request;
    json_write_request(stream, request, handle->created_site, handle);
    json_stream_integer_if(stream, "sharers", handle->sharers > 0, (int64_t)handle->sharers);
    json_stream_boolean(stream, "to_nobody", handle->is_to_nobody);
    json_stream_boolean(stream, "active", operation_is_active(request));
    json_write_boolean_if(stream, "complete", request->state != MPILENS_OPERATION_RELEASED, request->complete);
    if (json_open_object_if(stream, "operation", handle->operation != NULL)) {
        json_write_operation(stream, handle->operation);
        json_stream_close(stream);
    }
    write_partitions(stream, handle);
    json_stream_unique_id(stream, "communicator_id", request->details->communicator_id);
}

static void write_status(struct json_stream *stream, const struct handle *handle)
{
    const struct mpilens_status_information *status = &handle->status;
    const bool is_known = !status->ignored;
    json_stream_boolean(stream, "ignored", !is_known);
    json_stream_integer_if(stream, "source", is_known, status->source);
    json_stream_integer_if(stream, "tag", is_known, status->tag);
    json_stream_integer_if(stream, "error", is_known, status->error);
    json_stream_number(stream, "bytes", is_known ? status->bytes : -1);
    json_write_boolean_if(stream, "cancelled", is_known && status->cancelled >= 0, status->cancelled != 0);
}

static void write_message(struct json_stream *stream, const struct handle *handle)
{
    const struct matched_message *message = handle->message;
    json_stream_address(stream, "communicator", handle->communicator);
    json_stream_number(stream, "source", message != NULL ? message->peer_local : -1);
    json_stream_integer_if(stream, "tag", message != NULL, message != NULL ? message->tag : 0);
    json_stream_number(stream, "bytes", message != NULL ? message->bytes : -1);
}

typedef void write_members_function(struct json_stream *stream, const struct handle *handle);

/* NULL: the handle has no detail. */
static write_members_function *find_detail(const struct handle *handle)
{
    if (handle->is_null)
        return NULL;
    switch (handle->kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return json_write_handle_communicator;
    case MPILENS_OBJECT_DATATYPE:
        return json_write_handle_datatype;
    case MPILENS_OBJECT_GROUP:
        return write_group;
    case MPILENS_OBJECT_OP:
        return write_op;
    case MPILENS_OBJECT_ERRHANDLER:
        return write_errhandler;
    case MPILENS_OBJECT_INFO:
        return write_info;
    case MPILENS_OBJECT_KEYVAL:
        return write_keyval;
    case MPILENS_OBJECT_SESSION:
        return write_session;
    case MPILENS_OBJECT_WINDOW:
        return handle->window != NULL ? write_window : NULL;
    case MPILENS_OBJECT_FILE:
        return handle->file != NULL ? write_file : NULL;
    case MPILENS_OBJECT_MESSAGE:
        return write_message;
    case MPILENS_OBJECT_REQUEST:
        return write_request;
    case MPILENS_OBJECT_STATUS:
        return write_status;
    default:
        return NULL;
    }
}

static void write_detail(struct json_stream *stream, const struct handle *handle)
{
    write_members_function *write_members = find_detail(handle);
    if (write_members == NULL) {
        json_stream_null(stream, "detail");
        return;
    }
    json_stream_open_object(stream, "detail");
    write_members(stream, handle);
    json_stream_close(stream);
}

void json_write_handle(struct json_stream *stream, const char *name, const struct handle *handle)
{
    const struct mpilens_object_information *object = &handle->object;
    const bool is_object = !handle->is_null && handle->kind != MPILENS_OBJECT_STATUS;
    const bool may_be_zero = handle->kind == MPILENS_OBJECT_KEYVAL && !handle->is_null;
    json_stream_open_object(stream, name);
    json_stream_text(stream, "kind", mpilens_object_kind_name((int)handle->kind));
    json_stream_number(stream, "rank", handle->rank);
    if (may_be_zero)
        json_stream_any_address(stream, "handle", handle->value);
    else
        json_stream_address(stream, "handle", handle->value);
    json_stream_integer_if(stream, "fortran", handle->more.has_fortran_handle, (int64_t)handle->more.fortran_handle);
    json_stream_text(stream, "name", object->name);
    json_stream_boolean(stream, "predefined", object->predefined != 0);
    json_stream_boolean(stream, "freed_by_application", object->freed != 0);
    json_stream_boolean(stream, "freed_by_mpi", handle_is_gone(handle));
    json_write_call(stream, "created", is_object ? object->function : "", handle->created_site,
                    is_object ? object->site : 0, &handle->age_s);
    json_stream_any_text(stream, "summary", handle_summary(handle));
    write_detail(stream, handle);
    json_stream_boolean(stream, "null", handle->is_null);
    json_write_call(stream, "freed", handle->more.freed_function, handle->freed_site, handle->more.freed_site, NULL);
    json_stream_text(stream, "variable", handle->variable);
    if (is_object && handle->kind != MPILENS_OBJECT_REQUEST) {
        json_stream_identifier(stream, "serial", object->serial);
        json_stream_integer(stream, "references", object->references);
        write_language(stream, handle);
        json_write_users(stream, "users", handle, MPILENS_OBJECT_NONE);
    }
    json_stream_close(stream);
}
