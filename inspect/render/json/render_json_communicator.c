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

static void write_actual(struct json_stream *stream, const struct operation *operation)
{
    if (!json_open_object_if(stream, "actual",
                             operation->actual_local >= 0 &&
                                 (operation->status != mqs_st_pending || operation_is_unexpected(operation))))
        return;
    json_stream_number(stream, "local", operation->actual_local);
    json_stream_number(stream, "world", operation->actual_world);
    json_stream_integer(stream, "tag", operation->actual_tag);
    json_stream_number(stream, "bytes", operation->details->actual_bytes);
    json_stream_close(stream);
}

void json_write_operation(struct json_stream *stream, const struct operation *operation)
{
    const uint32_t flags = operation->flags;
    const bool is_unexpected = operation_is_unexpected(operation);
    json_stream_integer_if(stream, "serial", !is_unexpected, (int64_t)operation->serial);
    json_stream_text(stream, "function", operation->details->function);
    json_stream_text(stream, "status", status_name(operation->status));
    json_stream_text(stream, "mode", mode_name(flags));
    json_stream_boolean(stream, "blocking", (flags & MPILENS_OPERATION_BLOCKING) != 0);
    json_stream_boolean(stream, "persistent", (flags & MPILENS_OPERATION_FROM_PERSISTENT) != 0);
    json_stream_boolean(stream, "partitioned", (flags & MPILENS_OPERATION_PARTITIONED) != 0);
    json_write_peer(stream, "peer", operation->peer_local, operation->peer_world);
    json_stream_integer_if(stream, "tag", !operation->tag_wild, operation->tag);
    json_stream_number(stream, "bytes", operation->details->bytes);
    json_stream_number(stream, "count", operation->details->count);
    json_stream_text(stream, "datatype", operation->details->datatype);
    json_stream_address(stream, "buffer", operation->buffer);
    json_stream_address(stream, "request", operation->request);
    write_actual(stream, operation);
    json_stream_seconds(stream, "age_s", operation->age_s);
    json_write_site(stream, "site", operation->details->site, is_unexpected ? 0 : operation->details->site_address);
    if ((flags & MPILENS_OPERATION_CANCEL_CALLED) != 0)
        json_stream_boolean(stream, "cancel_called", true);
    if ((flags & MPILENS_OPERATION_PARTITIONED) != 0) {
        json_stream_open_object(stream, "partitions");
        json_stream_number(stream, "count", operation->details->partition_count);
        json_stream_number(stream, "marked", operation->details->partitions_marked);
        json_stream_close(stream);
    }
    if (operation->state == MPILENS_OPERATION_RELEASED)
        json_stream_boolean(stream, "request_freed", true);
}

static void write_sender(struct json_stream *stream, const struct operation *message)
{
    json_stream_text(stream, "origin", message->inferred ? "inferred" : "exact");
    if (message->serial == 0)
        return;
    json_stream_open_object(stream, "sender");
    json_stream_integer(stream, "serial", (int64_t)message->serial);
    json_write_site(stream, "site", message->details->site, message->details->site_address);
    json_stream_close(stream);
}

static void write_operations(struct json_stream *stream, const char *name, const struct operations *operations,
                             size_t most, bool are_unexpected)
{
    json_stream_open_array(stream, name);
    for (size_t i = 0; i < operations->count && i < most; i++) {
        json_stream_open_object(stream, NULL);
        json_write_operation(stream, &operations->items[i]);
        if (are_unexpected)
            write_sender(stream, &operations->items[i]);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static void write_classes(struct json_stream *stream, const struct communicator *communicator)
{
    json_stream_open_array(stream, "collectives");
    for (size_t i = 0; i < communicator->class_count; i++) {
        const struct collective_class *calls = &communicator->collectives[i];
        json_stream_open_object(stream, NULL);
        json_stream_any_text(stream, "class", calls->class);
        json_stream_integer(stream, "count", (int64_t)calls->count);
        json_stream_integer(stream, "active", (int64_t)calls->active);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

void json_write_collectives(struct json_stream *stream, const char *name, const struct collective_call *calls,
                            size_t count)
{
    json_stream_open_array(stream, name);
    for (size_t i = 0; i < count; i++) {
        const struct collective_call *call = &calls[i];
        json_stream_open_object(stream, NULL);
        json_stream_integer(stream, "serial", (int64_t)call->serial);
        json_stream_text(stream, "function", call->function);
        json_stream_boolean(stream, "active", call->active);
        json_stream_number(stream, "root", call->has_root ? call->root : -1);
        json_stream_number(stream, "count", call->count);
        json_stream_number(stream, "bytes", call->bytes);
        json_stream_text(stream, "datatype", call->datatype);
        json_stream_address(stream, "signature", call->signature);
        json_stream_address(stream, "op", call->op);
        json_stream_address(stream, "buffer", call->buffer);
        json_stream_text(stream, "arguments", call->arguments);
        json_stream_seconds(stream, "age_s", call->age_s);
        json_write_site(stream, "site", call->site, call->site_address);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static void write_messages(struct json_stream *stream, const struct communicator *communicator)
{
    json_stream_open_array(stream, "matched_messages");
    for (size_t i = 0; i < communicator->message_count; i++) {
        const struct matched_message *message = &communicator->matched_messages[i];
        json_stream_open_object(stream, NULL);
        json_stream_address(stream, "handle", message->handle);
        json_stream_text(stream, "function", message->function);
        json_write_peer(stream, "peer", message->peer_local, message->peer_world);
        json_stream_integer(stream, "tag", message->tag);
        json_stream_number(stream, "bytes", message->bytes);
        json_stream_seconds(stream, "age_s", message->age_s);
        json_write_site(stream, "site", message->site, message->site_address);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static size_t beyond(size_t count, size_t most)
{
    return count > most ? count - most : 0;
}

static void write_left_out(struct json_stream *stream, const struct communicator *communicator, size_t most)
{
    const size_t sends = beyond(communicator->sends.count, most);
    const size_t receives = beyond(communicator->receives.count, most);
    const size_t unexpected = beyond(communicator->unexpected.count, most);
    if (sends + receives + unexpected == 0)
        return;
    json_stream_open_object(stream, "left_out");
    json_stream_integer(stream, "sends", (int64_t)sends);
    json_stream_integer(stream, "receives", (int64_t)receives);
    json_stream_integer(stream, "unexpected", (int64_t)unexpected);
    json_stream_close(stream);
}

void json_write_communicator(struct json_stream *stream, const struct communicator *communicator, size_t most)
{
    json_stream_open_object(stream, NULL);
    json_stream_unique_id(stream, "id", communicator->id);
    json_stream_address(stream, "handle", communicator->handle);
    json_stream_text(stream, "name", communicator->name);
    json_stream_text(stream, "origin", communicator->predefined ? NULL : describe_origin(communicator));
    json_stream_number(stream, "rank", communicator->rank);
    json_stream_number(stream, "size", communicator->size);
    write_operations(stream, "sends", &communicator->sends, most, false);
    write_operations(stream, "receives", &communicator->receives, most, false);
    write_operations(stream, "unexpected", &communicator->unexpected, most, true);
    write_left_out(stream, communicator, most);
    write_classes(stream, communicator);
    json_stream_integer_if(stream, "remote_size", communicator->remote_size > 0, communicator->remote_size);
    json_stream_boolean(stream, "intercommunicator", communicator->intercommunicator);
    json_stream_boolean(stream, "predefined", communicator->predefined);
    json_stream_boolean(stream, "freed", communicator->freed);
    json_stream_address(stream, "parent", communicator->parent);
    json_write_group(stream, "group", communicator->group);
    json_write_group(stream, "remote_group", communicator->remote_group);
    json_write_site(stream, "site", communicator->site, communicator->site_address);
    write_messages(stream, communicator);
    json_stream_integer(stream, "collective_calls", (int64_t)communicator->collective_calls);
    json_stream_integer(stream, "unexpected_unknown", (int64_t)communicator->unexpected_unknown);
    json_write_collectives(stream, "recent_collectives", communicator->recent_collectives,
                           communicator->collective_call_count);
    json_stream_close(stream);
}
