/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators and operations as JSON.
 */
#include "render/json/render_json_internal.h"

#include "mpilens/words.h"
#include "words/words.h"

static bool operation_is_unexpected(const struct operation *operation)
{
    return operation->inferred || operation->exact;
}

static const char *mode_name(uint32_t flags)
{
    static const uint32_t modes[] = {MPILENS_OPERATION_SYNCHRONOUS, MPILENS_OPERATION_BUFFERED,
                                     MPILENS_OPERATION_READY};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if ((flags & modes[i]) != 0)
            return mpilens_operation_mode_word(modes[i]);
    return "standard";
}

static const char *status_name(int status)
{
    const char *word = mpilens_status_word((uint32_t)status);
    return word != NULL ? word : mpilens_status_word(mqs_st_pending);
}

static void write_actual(const struct json_members *members, const struct operation *operation)
{
    if (operation->actual_local < 0 || (operation->status == mqs_st_pending && !operation_is_unexpected(operation))) {
        json_member_null(members, "actual");
        return;
    }
    const struct json_members actual = json_member_open(members, "actual");
    json_member_number(&actual, "local", operation->actual_local);
    json_member_number(&actual, "world", operation->actual_world);
    json_member_integer(&actual, "tag", operation->actual_tag);
    json_member_number(&actual, "bytes", operation->details->actual_bytes);
    json_member_close(&actual);
}

void json_write_operation(const struct json_members *members, const struct operation *operation)
{
    const uint32_t flags = operation->flags;
    if (operation_is_unexpected(operation))
        json_member_null(members, "serial");
    else
        json_member_integer(members, "serial", (int64_t)operation->serial);
    json_member_text(members, "function", operation->details->function);
    json_member_text(members, "status", status_name(operation->status));
    json_member_text(members, "mode", mode_name(flags));
    json_member_boolean(members, "blocking", (flags & MPILENS_OPERATION_BLOCKING) != 0);
    json_member_boolean(members, "persistent", (flags & MPILENS_OPERATION_FROM_PERSISTENT) != 0);
    json_member_boolean(members, "partitioned", (flags & MPILENS_OPERATION_PARTITIONED) != 0);
    json_member_peer(members, "peer", operation->peer_local, operation->peer_world);
    json_member_tag(members, "tag", operation->tag_wild, operation->tag);
    json_member_number(members, "bytes", operation->details->bytes);
    json_member_number(members, "count", operation->details->count);
    json_member_text(members, "datatype", operation->details->datatype);
    json_member_address(members, "buffer", operation->buffer);
    json_member_address(members, "request", operation->request);
    write_actual(members, operation);
    json_member_seconds(members, "age_s", operation->age_s);
    json_member_site(members, "site", operation->details->site,
                     operation_is_unexpected(operation) ? 0 : operation->details->site_address);
    if ((flags & MPILENS_OPERATION_CANCEL_CALLED) != 0)
        json_member_boolean(members, "cancel_called", true);
    if ((flags & MPILENS_OPERATION_PARTITIONED) != 0) {
        const struct json_members partitions = json_member_open(members, "partitions");
        json_member_number(&partitions, "count", operation->details->partition_count);
        json_member_number(&partitions, "marked", operation->details->partitions_marked);
        json_member_close(&partitions);
    }
    if (operation->state == MPILENS_OPERATION_RELEASED)
        json_member_boolean(members, "request_freed", true);
}

static void write_sender(const struct json_members *members, const struct operation *message)
{
    json_member_text(members, "origin", message->inferred ? "inferred" : "exact");
    if (message->serial == 0)
        return;
    const struct json_members sender = json_member_open(members, "sender");
    json_member_integer(&sender, "serial", (int64_t)message->serial);
    json_member_site(&sender, "site", message->details->site, message->details->site_address);
    json_member_close(&sender);
}

static void write_operations(struct json_stream *stream, const char *name, const struct operations *operations,
                             size_t most, bool are_unexpected)
{
    const struct json_members members = {.stream = stream};
    json_stream_open_array(stream, name);
    for (size_t i = 0; i < operations->count && i < most; i++) {
        json_stream_open_object(stream, NULL);
        json_write_operation(&members, &operations->items[i]);
        if (are_unexpected)
            write_sender(&members, &operations->items[i]);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static json_t *json_classes(const struct communicator *communicator)
{
    json_t *array = json_array();
    for (size_t i = 0; i < communicator->class_count; i++) {
        const struct collective_class *class = &communicator->classes[i];
        json_array_append_new(array, json_pack("{s:o, s:I, s:I}", "class", json_any_text(class->name), "count",
                                               (json_int_t) class->count, "active", (json_int_t) class->active));
    }
    return array;
}

json_t *json_collectives(const struct collective_call *calls, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct collective_call *call = &calls[i];
        json_array_append_new(
            array,
            json_pack("{s:I, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "serial",
                      (json_int_t)call->serial, "function", json_text(call->function), "active", (int)call->active,
                      "root", call->has_root ? json_number(call->root) : json_null(), "count", json_number(call->count),
                      "bytes", json_number(call->bytes), "datatype", json_text(call->datatype), "signature",
                      json_address(call->signature), "op", json_address(call->op), "buffer", json_address(call->buffer),
                      "arguments", json_text(call->arguments), "age_s", json_seconds(call->age_s), "site",
                      json_site(call->site, call->site_address)));
    }
    return array;
}

static json_t *json_messages(const struct communicator *communicator)
{
    json_t *array = json_array();
    for (size_t i = 0; i < communicator->message_count; i++) {
        const struct matched_message *message = &communicator->messages[i];
        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "handle",
                                               json_address(message->handle), "function", json_text(message->function),
                                               "peer", json_peer(message->source_local, message->source_world), "tag",
                                               (int)message->tag, "bytes", json_number(message->bytes), "age_s",
                                               json_seconds(message->age_s), "site",
                                               json_site(message->site, message->site_address)));
    }
    return array;
}

json_t *json_group_members(const struct group *group)
{
    json_t *array = group != NULL ? json_array() : json_null();
    for (size_t i = 0; group != NULL && i < group->range_count; i++) {
        const struct group_range *range = &group->ranges[i];
        const int stride = range->count > 1 ? range->stride : 1;
        json_array_append_new(array, json_pack("{s:o, s:i, s:i}", "first", json_number(range->first), "stride", stride,
                                               "count", (int)range->count));
    }
    return array;
}

static size_t beyond(size_t count, size_t most)
{
    return count > most ? count - most : 0;
}

static void write_left_out(struct json_stream *stream, const struct communicator *communicator, size_t most)
{
    const struct json_members members = {.stream = stream};
    const size_t sends = beyond(communicator->sends.count, most);
    const size_t receives = beyond(communicator->receives.count, most);
    const size_t unexpected = beyond(communicator->unexpected.count, most);
    if (sends + receives + unexpected == 0)
        return;
    const struct json_members left_out = json_member_open(&members, "left_out");
    json_member_integer(&left_out, "sends", (int64_t)sends);
    json_member_integer(&left_out, "receives", (int64_t)receives);
    json_member_integer(&left_out, "unexpected", (int64_t)unexpected);
    json_member_close(&left_out);
}

void json_write_communicator(struct json_stream *stream, const struct communicator *communicator, size_t most)
{
    const char *origin = communicator->predefined ? NULL : describe_origin(communicator);
    json_stream_open_object(stream, NULL);
    json_stream_add_members(stream,
                            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "id", json_unique_id(communicator->id),
                                      "handle", json_address(communicator->handle), "name",
                                      json_text(communicator->name), "origin", json_text(origin), "rank",
                                      json_number(communicator->rank), "size", json_number(communicator->size)));
    write_operations(stream, "sends", &communicator->sends, most, false);
    write_operations(stream, "receives", &communicator->receives, most, false);
    write_operations(stream, "unexpected", &communicator->unexpected, most, true);
    write_left_out(stream, communicator, most);
    json_stream_add_members(
        stream, json_pack("{s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "collectives",
                          json_classes(communicator), "remote_size",
                          communicator->remote_size > 0 ? json_integer(communicator->remote_size) : json_null(),
                          "intercommunicator", (int)communicator->intercommunicator, "predefined",
                          (int)communicator->predefined, "freed", (int)communicator->freed, "parent",
                          json_address(communicator->parent_handle), "group", json_group_members(communicator->group),
                          "remote_group", json_group_members(communicator->remote_group), "site",
                          json_site(communicator->site, communicator->site_address), "matched_messages",
                          json_messages(communicator), "collective_calls", (json_int_t)communicator->collective_count,
                          "unexpected_unknown", (json_int_t)communicator->unexpected_unknown, "recent_collectives",
                          json_collectives(communicator->collectives, communicator->collective_call_count)));
    json_stream_close(stream);
}
