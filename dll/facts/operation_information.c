/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes an operation or request for debuggers.
 */
#include "facts/facts.h"

#include "snapshot/snapshot.h"

/* The class, one of the flags: a copy has no others. */
static uint32_t class_of(const struct mpilens_operation *operation)
{
    return operation->flags & (MPILENS_OPERATION_MESSAGE_CLASSES | MPILENS_OPERATION_OTHER_CLASSES);
}

/* The kind of the `object` of operations of a class. */
static int kind_of_object(uint32_t operation_class)
{
    switch (operation_class) {
    case MPILENS_OPERATION_ONE_SIDED:
        return MPILENS_OBJECT_WINDOW;
    case MPILENS_OPERATION_FILE:
        return MPILENS_OBJECT_FILE;
    case MPILENS_OPERATION_COMMUNICATOR:
        return MPILENS_OBJECT_COMMUNICATOR;
    default:
        return MPILENS_OBJECT_NONE;
    }
}

static void set_message(const struct reading *reading, const struct communicator_view *view,
                        const struct mpilens_operation *operation, struct mpilens_operation_information *answer)
{
    const struct operation_facts facts = operation_facts_get(reading, view, operation);
    answer->tag = facts.tag;
    if (!answer->to_nobody) {
        answer->peer_local = facts.peer_local;
        answer->peer_world = facts.peer_world;
        answer->tag_wild = facts.tag_wild;
    }
    if (answer->active) {
        answer->actual_local = facts.actual_local;
        answer->actual_world = facts.actual_world;
        answer->actual_tag = facts.actual_tag;
        answer->actual_bytes = facts.actual_bytes;
        answer->count = facts.count;
        answer->bytes = facts.bytes;
    }
    const struct partition_counts *partitions = snapshot_partitions(&reading->snapshot, operation);
    if (partitions != NULL) {
        answer->partition_count = partitions->count;
        answer->partitions_marked = partitions->marked;
    }
}

static void set_peer(const struct communicator_view *view, int32_t peer, struct mpilens_operation_information *answer)
{
    if (peer < 0)
        return;
    answer->peer_local = peer;
    answer->peer_world = peer_world_rank(view, peer);
}

static void set_class(const struct reading *reading, const struct communicator_view *view,
                      const struct mpilens_operation *operation, struct mpilens_operation_information *answer)
{
    switch (answer->operation_class) {
    case MPILENS_OPERATION_SEND:
    case MPILENS_OPERATION_RECEIVE:
        set_message(reading, view, operation, answer);
        break;
    case MPILENS_OPERATION_COLLECTIVE:
        answer->has_root = operation->has_root != 0;
        if (answer->has_root)
            set_peer(view, operation->root, answer);
        /* A persistent one has no number before it is started. */
        answer->collective = answer->active ? operation->collective : 0;
        break;
    case MPILENS_OPERATION_ONE_SIDED:
        set_peer(view, operation->target, answer);
        break;
    case MPILENS_OPERATION_COMMUNICATOR:
        answer->collective = operation->collective;
        break;
    case MPILENS_OPERATION_FILE:
        answer->offset = operation->offset <= INT64_MAX ? (int64_t)operation->offset : -1;
        break;
    default:
        break;
    }
    const struct object_reference object =
        object_reference_get(&reading->snapshot, kind_of_object(answer->operation_class), operation->object);
    answer->object_kind = object.kind;
    answer->object_serial = object.serial;
    answer->object_id = object.id;
}

void operation_describe(const struct reading *reading, const struct communicator_view *view,
                        const struct mpilens_operation *operation, struct mpilens_operation_information *ret_answer)
{
    const struct mpilens_datatype *datatype = snapshot_datatype(&reading->snapshot, operation->datatype);
    /* Nothing of no datatype: it has no data, such as a barrier. */
    const bool has_count = operation->count <= INT64_MAX && (operation->count > 0 || operation->datatype != 0);
    const int64_t count = has_count ? (int64_t)operation->count : -1;
    const struct mpilens_function *function = function_table_get(&reading->functions, operation->function);
    *ret_answer = (struct mpilens_operation_information){
        .serial = operation->posted,
        .posted = operation->posted_time,
        .site = operation->site,
        .request = operation->request,
        .buffer = operation->buffer,
        .communicator_id = view->record != NULL ? view->record->unique_id : 0,
        .datatype_handle = datatype != NULL ? datatype->handle : 0,
        .state = operation->state,
        .flags = operation->flags,
        .operation_class = class_of(operation),
        .active = operation->state != MPILENS_OPERATION_PERSISTENT,
        .complete = operation_is_complete(operation),
        .persistent = operation->state == MPILENS_OPERATION_PERSISTENT ||
                      (operation->flags & MPILENS_OPERATION_FROM_PERSISTENT) != 0,
        .thread_index = operation->thread,
        .peer_local = -1,
        .peer_world = -1,
        .tag = -1,
        .actual_local = -1,
        .actual_world = -1,
        .actual_tag = -1,
        .actual_bytes = -1,
        .count = count,
        .bytes = bytes_of(count, datatype),
        .partition_count = -1,
        .partitions_marked = -1,
        .purpose = function->purpose,
        .offset = -1,
        .to_nobody = operation_is_to_nobody(operation, reading->root.process.proc_null),
        .status = operation_status(operation),
    };
    set_class(reading, view, operation, ret_answer);
    text_set(ret_answer->function, sizeof ret_answer->function, function->name);
    struct text text = text_begin(ret_answer->datatype, sizeof ret_answer->datatype);
    text_add_datatype(&text, reading, datatype);
}

void request_describe(const struct reading *reading, const struct mpilens_operation *operation,
                      struct mpilens_operation_information *ret_answer)
{
    const struct communicator_view view = snapshot_communicator_view(
        &reading->snapshot, snapshot_communicator(&reading->snapshot, operation->communicator));
    operation_describe(reading, &view, operation, ret_answer);
}
