/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the page of a request, message or status.
 */
#include "render/text/handle_page_request.h"

#include "base/allocation.h"
#include "handle/handle_describe.h"
#include "words/describe_object.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_peer(struct page *page, const struct handle *handle)
{
    const struct request *request = &handle->request;
    const bool is_message = (request->operation_class & MPILENS_OPERATION_MESSAGE_CLASSES) != 0;
    if (!is_message && request->peer_local < 0)
        return;
    page_take(page,
              request->has_root ? "root"
              : is_message      ? "peer"
                                : "target",
              handle->is_to_nobody ? copy_text("MPI_PROC_NULL")
                                   : describe_rank(request->peer_local, request->peer_world));
    if (is_message)
        page_take(page, "tag", request->tag_wild ? copy_text("any") : format_text("%d", request->tag));
}

/* "3 of 6: 1-2, 5". */
static void write_marked(struct page *page, const struct handle *handle)
{
    enum { MOST_WRITTEN = 16 };
    const struct operation *operation = handle->operation;
    char *list = copy_text("");
    size_t written = 0;
    if (operation == NULL || operation->partitions_marked < 0) {
        free(list);
        return;
    }
    for (size_t i = 0; i < handle->partition_run_count && written <= MOST_WRITTEN; i++) {
        const struct mpilens_partition_run *run = &handle->partitions[i];
        if (!run->marked)
            continue;
        const char *comma = written > 0 ? ", " : ": ";
        char *longer = written == MOST_WRITTEN ? format_text("%s, ...", list)
                       : run->count > 1 ? format_text("%s%s%u-%u", list, comma, run->first, run->first + run->count - 1)
                                        : format_text("%s%s%u", list, comma, run->first);
        free(list);
        list = longer;
        written++;
    }
    page_write(page, (operation->flags & MPILENS_OPERATION_SEND) != 0 ? "ready partitions" : "arrived partitions",
               "%" PRId64 "%s", operation->partitions_marked, list);
    free(list);
}

void page_request(struct page *page, const struct handle *handle)
{
    const struct request *request = &handle->request;
    const struct operation *operation = handle->operation;
    if (handle->sharers > 1)
        page_write(page, "operations", "%u with this handle; this is the oldest", handle->sharers);
    page_write(page, "class", "%s%s%s", describe_class(request->operation_class),
               request->persistent ? ", persistent" : "",
               (request->flags & MPILENS_OPERATION_PARTITIONED) != 0 ? ", partitioned" : "");
    page_write(page, "status", "%s%s", describe_request_status(request),
               (request->flags & MPILENS_OPERATION_CANCEL_CALLED) != 0 ? ", cancel called" : "");
    write_peer(page, handle);
    if (request->collective != 0)
        page_write(page, "call", "%" PRIu64 " on its communicator", request->collective);
    if (request->object_kind != MPILENS_OBJECT_NONE)
        page_write(page, mpilens_object_kind_name((int)request->object_kind), "#%u", request->object_serial);
    if (request->count >= 0)
        page_write(page, "count", "%" PRId64 " x %s", request->count,
                   request->datatype[0] != '\0' ? request->datatype : "unknown datatype");
    if (request->bytes >= 0)
        page_write(page, "bytes", "%" PRId64, request->bytes);
    if (request->offset >= 0)
        page_write(page, "offset", "%" PRId64, request->offset);
    if (request->buffer != 0)
        page_write(page, "buffer", "0x%" PRIx64, request->buffer);
    if (request->partition_count >= 0)
        page_write(page, "partitions", "%" PRId64, request->partition_count);
    write_marked(page, handle);
    if (operation != NULL && operation->actual_local >= 0 && operation->status != mqs_st_pending)
        page_write(page, "received", "from rank %d, tag %d, %" PRId64 " bytes", operation->actual_local,
                   operation->actual_tag, operation->actual_bytes);
}

void page_message(struct page *page, const struct handle *handle)
{
    const struct matched_message *message = handle->message;
    if (message == NULL)
        return;
    page_take(page, "source", describe_rank(message->source_local, message->source_world));
    page_write(page, "tag", "%d", message->tag);
    if (message->bytes >= 0)
        page_write(page, "bytes", "%" PRId64, message->bytes);
}

void page_status(struct page *page, const struct handle *handle)
{
    const struct mpilens_status_information *status = &handle->status;
    page_write(page, "address", "0x%" PRIx64, handle->value);
    if (handle->variable != NULL)
        page_write(page, "variable", "%s", handle->variable);
    if (status->ignored)
        return;
    page_write(page, "MPI_SOURCE", "%d", status->source);
    page_write(page, "MPI_TAG", "%d", status->tag);
    page_write(page, "MPI_ERROR", "%d", status->error);
    if (status->bytes >= 0)
        page_write(page, "bytes", "%" PRId64, status->bytes);
    if (status->cancelled >= 0)
        page_write(page, "cancelled", status->cancelled != 0 ? "yes" : "no");
}
