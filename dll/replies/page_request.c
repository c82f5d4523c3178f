/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the pages of requests, statuses and messages.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "snapshot/snapshot.h"

#include <inttypes.h>

/* The operation with this serial, NULL: it is not there any more. */
static const struct mpilens_operation *find_operation(const struct snapshot *snapshot, uint64_t serial)
{
    struct table_position position = {0};
    for (const struct mpilens_operation *operation;
         (operation = table_copy_next(&snapshot->tables[MPILENS_TABLE_OPERATIONS], &position)) != NULL;)
        if (operation->state != 0 && operation->posted == serial)
            return operation;
    return NULL;
}

static void add_rank(struct page_lines *page, const char *label, int32_t local, int32_t world)
{
    char rank[64];
    struct text text = text_begin(rank, sizeof rank);
    text_add_rank(&text, local, world);
    page_add(page, 0, label, rank);
}

static void add_identity(struct page_lines *page, const struct reading *reading,
                         const struct mpilens_operation_information *request)
{
    page_write(page, 0, "handle", request->request != 0 ? "0x%" PRIx64 : "not known", request->request);
    if (request->has_fortran_handle)
        page_write(page, 0, "Fortran handle", "%" PRId64, request->fortran_handle);
    if (request->function[0] != '\0')
        page_add_call(page, 0, "made by", request->function, request->site, 0);
    if (request->state == MPILENS_OPERATION_RELEASED) {
        page_add(page, 0, "freed by", "the application");
        page_add(page, 0, "kept by MPI", "until it is complete");
    }
    page_communicator_name(page, reading, "communicator", request->communicator_id);
    if (request->sharers > 1)
        page_write(page, 0, "operations", "%u with this handle; this is the oldest", request->sharers);
    page_write(page, 0, "class", "%s%s%s", request_class_phrase(request->operation_class),
               request->persistent ? ", persistent" : "",
               request->flags & MPILENS_OPERATION_PARTITIONED ? ", partitioned" : "");
    page_write(page, 0, "status", "%s%s", request_state_phrase(request),
               request->flags & MPILENS_OPERATION_CANCEL_CALLED ? ", cancel called" : "");
}

static void add_peer(struct page_lines *page, const struct mpilens_operation_information *request)
{
    const bool is_message = (request->operation_class & MPILENS_OPERATION_MESSAGE_CLASSES) != 0;
    if (request->to_nobody)
        page_add(page, 0, "peer", "MPI_PROC_NULL");
    else if (is_message || request->peer_local >= 0)
        add_rank(page,
                 request->has_root ? "root"
                 : is_message      ? "peer"
                                   : "target",
                 request->peer_local, request->peer_world);
    if (is_message && request->tag_wild)
        page_add(page, 0, "tag", "any");
    else if (is_message)
        page_write(page, 0, "tag", "%d", request->tag);
}

/* The object that it works on: "window halo (0xa0000001)". */
static void add_object(struct page_lines *page, const struct reading *reading,
                       const struct mpilens_operation_information *request)
{
    const int kind = (int)request->object_kind;
    const enum mpilens_table_kind table = object_table(kind);
    if (table == MPILENS_TABLE_COUNT || kind == MPILENS_OBJECT_MESSAGE || kind == MPILENS_OBJECT_ATTRIBUTE)
        return;
    const struct mpilens_object *object = serial_lookup(&reading->snapshot.tables[table], request->object_serial);
    const bool is_made = (request->operation_class & MPILENS_OPERATION_COMMUNICATOR) != 0;
    if (object != NULL)
        page_add(page, 0, is_made ? "new communicator" : mpilens_object_kind_name(kind),
                 page_name(object->handle, object_name(kind, object)).text);
}

/* "3: 1-2, 5" */
static void add_marked(struct page_lines *page, const struct reading *reading,
                       const struct mpilens_operation *operation)
{
    enum { MOST_RUNS = 64, MOST_SHOWN = 16 };
    struct mpilens_partition_run runs[MOST_RUNS];
    char list[512];
    struct text text = text_begin(list, sizeof list);
    const struct partition_counts *partitions = snapshot_partitions(&reading->snapshot, operation);
    size_t count = 0, shown = 0;
    if (partitions == NULL || partitions->marked < 0)
        return;
    text_add_signed(&text, partitions->marked);
    if (partition_runs_read(&reading->target, partitions, runs, MOST_RUNS, &count) != mqs_ok)
        count = 0;
    for (size_t i = 0; i < count && i < MOST_RUNS && shown < MOST_SHOWN; i++) {
        if (!runs[i].marked)
            continue;
        text_add(&text, shown++ > 0 ? ", " : ": ");
        text_add_decimal(&text, runs[i].first);
        text_add(&text, runs[i].count > 1 ? "-" : "");
        if (runs[i].count > 1)
            text_add_decimal(&text, (uint64_t)runs[i].first + runs[i].count - 1);
    }
    if (shown == MOST_SHOWN || count > MOST_RUNS)
        text_add(&text, ", ...");
    page_add(page, 0, operation->flags & MPILENS_OPERATION_SEND ? "ready partitions" : "arrived partitions", list);
}

void page_request(struct page_lines *page, const struct reading *reading,
                  const struct mpilens_operation_information *request)
{
    const struct mpilens_operation *operation = find_operation(&reading->snapshot, request->serial);
    add_identity(page, reading, request);
    add_peer(page, request);
    if (request->collective != 0)
        page_write(page, 0, "call", "%" PRIu64 " on its communicator", request->collective);
    add_object(page, reading, request);
    if (request->count >= 0)
        page_write(page, 0, "count", "%" PRId64 " x %s", request->count,
                   request->datatype[0] != '\0' ? request->datatype : "unknown datatype");
    if (request->bytes >= 0)
        page_write(page, 0, "bytes", "%" PRId64, request->bytes);
    if (request->offset >= 0)
        page_write(page, 0, "offset", "%" PRId64, request->offset);
    if (request->buffer != 0)
        page_hexadecimal(page, "buffer", request->buffer);
    if (request->partition_count >= 0)
        page_write(page, 0, "partitions", "%" PRId64, request->partition_count);
    if (operation != NULL)
        add_marked(page, reading, operation);
    if ((request->flags & MPILENS_OPERATION_RECEIVE) != 0 && request->actual_local >= 0)
        page_write(page, 0, "received", "from rank %d, tag %d, %" PRId64 " bytes", request->actual_local,
                   request->actual_tag, request->actual_bytes);
}

void page_status(struct page_lines *page, const struct mpilens_status_information *status)
{
    page_write(page, 0, "MPI_SOURCE", "%d", status->source);
    page_write(page, 0, "MPI_TAG", "%d", status->tag);
    page_write(page, 0, "MPI_ERROR", "%d (meaningful only where a call has completed several requests)", status->error);
    if (status->bytes >= 0)
        page_write(page, 0, "bytes", "%" PRId64, status->bytes);
    if (status->cancelled >= 0)
        page_truth(page, "cancelled", status->cancelled != 0);
}

void page_message(struct page_lines *page, const struct reading *reading, const struct mpilens_message *message)
{
    const struct communicator_view view = snapshot_communicator_view(
        &reading->snapshot, snapshot_communicator(&reading->snapshot, message->communicator));
    add_rank(page, "source", message->source, peer_world_rank(&view, message->source));
    page_write(page, 0, "tag", "%d", message->tag);
    if (message->bytes <= INT64_MAX)
        page_write(page, 0, "bytes", "%" PRIu64, message->bytes);
}
