/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators and operations as JSON.
 */
#include "render/json/render_json_internal.h"

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
    json_write_operation_details_members(stream, operation->details);
    json_write_operation_members(stream, operation);
    json_stream_text(stream, "status", status_name(operation->status));
    json_stream_text(stream, "mode", mode_name(flags));
    json_stream_boolean(stream, "blocking", (flags & MPILENS_OPERATION_BLOCKING) != 0);
    json_stream_boolean(stream, "persistent", (flags & MPILENS_OPERATION_FROM_PERSISTENT) != 0);
    json_stream_boolean(stream, "partitioned", (flags & MPILENS_OPERATION_PARTITIONED) != 0);
    json_write_peer(stream, "peer", operation->peer_local, operation->peer_world);
    json_stream_integer_if(stream, "tag", !operation->tag_wild, operation->tag);
    write_actual(stream, operation);
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
    json_write_communicator_members(stream, communicator);
    json_stream_text(stream, "origin", communicator->predefined ? NULL : describe_origin(communicator));
    write_operations(stream, "sends", &communicator->sends, most, false);
    write_operations(stream, "receives", &communicator->receives, most, false);
    write_operations(stream, "unexpected", &communicator->unexpected, most, true);
    write_left_out(stream, communicator, most);
    json_stream_close(stream);
}
