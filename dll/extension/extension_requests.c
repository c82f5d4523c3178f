/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens_* entry points about requests that stand in no queue.
 */
#include "extension/reply.h"
#include "facts/object_reference.h"
#include "facts/operation_facts.h"
#include "facts/request_information.h"
#include "facts/text.h"
#include "snapshot/operation_kinds.h"

int mpilens_setup_request_iterator(mqs_process *process)
{
    mqs_process_info *info = NULL;
    int code = process_info_with_copy(process, &info);
    if (code == mqs_ok)
        info->requests = buckets_begin(&info->snapshot.requests, 0);
    return code;
}

/* The class, one of the flags: a copy has no others. */
static uint32_t class_of(const struct mpilens_operation *operation)
{
    return operation->flags & (MPILENS_OPERATION_MESSAGE_CLASSES | MPILENS_OPERATION_OTHER_CLASSES);
}

/* The kind of object that operations of a class have as their `partner`. */
static int kind_of_partner(uint32_t operation_class)
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

/* Sends and receives say it as those of the queues do. */
static void set_message(const mqs_process_info *info, const struct communicator_view *view,
                        const struct mpilens_operation *operation, struct mpilens_request_information *answer)
{
    if (operation->peer != info->root.process.proc_null) {
        const struct operation_facts facts = operation_facts_get(info, view, operation);
        answer->peer_local = facts.peer_local;
        answer->peer_world = facts.peer_world;
        answer->tag_wild = facts.tag_wild;
    }
    answer->tag = operation->tag;
    const struct partition_counts *partitions = snapshot_partitions(&info->snapshot, operation);
    if (partitions != NULL)
        answer->partition_count = partitions->count;
}

static void set_peer(const struct communicator_view *view, int32_t peer, struct mpilens_request_information *answer)
{
    if (peer < 0)
        return;
    answer->peer_local = peer;
    answer->peer_world = peer_world_rank(view, peer);
}

static void set_class(const mqs_process_info *info, const struct mpilens_operation *operation,
                      struct mpilens_request_information *answer)
{
    const struct communicator_view view =
        snapshot_communicator_view(&info->snapshot, snapshot_communicator(&info->snapshot, operation->communicator));
    if (view.record != NULL)
        answer->communicator_id = view.record->unique_id;
    switch (answer->operation_class) {
    case MPILENS_OPERATION_SEND:
    case MPILENS_OPERATION_RECEIVE:
        set_message(info, &view, operation, answer);
        break;
    case MPILENS_OPERATION_COLLECTIVE:
        answer->has_root = operation->tag == 1;
        if (answer->has_root)
            set_peer(&view, operation->peer, answer);
        /* A persistent one has no number before it is started. */
        answer->collective = answer->active ? operation->actual_bytes : 0;
        break;
    case MPILENS_OPERATION_ONE_SIDED:
        set_peer(&view, operation->peer, answer);
        break;
    case MPILENS_OPERATION_COMMUNICATOR:
        answer->collective = operation->actual_bytes;
        break;
    case MPILENS_OPERATION_FILE:
        answer->offset = operation->actual_bytes <= INT64_MAX ? (int64_t)operation->actual_bytes : -1;
        break;
    default:
        break;
    }
    const struct object_reference object =
        object_reference_get(&info->snapshot, kind_of_partner(answer->operation_class), operation->partner);
    answer->object_kind = object.kind;
    answer->object_serial = object.serial;
    answer->object_id = object.id;
}

void request_describe(const mqs_process_info *info, const struct mpilens_operation *operation,
                      struct mpilens_request_information *ret_answer)
{
    const struct mpilens_datatype *datatype = snapshot_datatype(&info->snapshot, operation->datatype);
    /* Nothing of no datatype: it has no data, such as a barrier. */
    const bool has_count = operation->count <= INT64_MAX && (operation->count > 0 || operation->datatype != 0);
    const int64_t count = has_count ? (int64_t)operation->count : -1;
    const struct mpilens_function *function = function_table_get(&info->functions, operation->function);
    struct mpilens_request_information answer = {
        .serial = operation->posted,
        .operation_class = class_of(operation),
        .flags = operation->flags,
        .state = operation->state,
        .active = operation->state != MPILENS_OPERATION_PERSISTENT,
        .complete = operation_is_complete(operation),
        .persistent = operation->state == MPILENS_OPERATION_PERSISTENT ||
                      (operation->flags & MPILENS_OPERATION_FROM_PERSISTENT) != 0,
        .request = operation->request,
        .posted = operation->posted_time,
        .site = operation->site,
        .thread_index = operation->thread,
        .peer_local = -1,
        .peer_world = -1,
        .tag = -1,
        .offset = -1,
        .count = count,
        .bytes = bytes_of(count, datatype),
        .datatype_handle = datatype != NULL ? datatype->handle : 0,
        .buffer = operation->buffer,
        .partition_count = -1,
        .to_nobody = operation_is_to_nobody(operation, info->root.process.proc_null),
        .purpose = function->purpose,
    };
    set_class(info, operation, &answer);
    text_set(answer.function, sizeof answer.function, function->name);
    struct text text = text_begin(answer.datatype, sizeof answer.datatype);
    text_add_datatype(&text, info, datatype);
    *ret_answer = answer;
}

int mpilens_next_request(mqs_process *process, struct mpilens_request_information *ret_request)
{
    mqs_process_info *info = NULL;
    if (!reply_is_possible(ret_request))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_with_copy(process, &info);
    if (code != mqs_ok)
        return code;
    const struct mpilens_operation *operation = buckets_next(&info->snapshot.requests, &info->requests);
    if (operation == NULL)
        return mqs_end_of_list;
    struct mpilens_request_information answer;
    request_describe(info, operation, &answer);
    reply_give(ret_request, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_get_partitions(mqs_process *process, uint64_t serial, struct mpilens_partition_run *ret_runs,
                           size_t capacity, size_t *ret_count)
{
    mqs_process_info *info = NULL;
    if (ret_count == NULL || (capacity > 0 && ret_runs == NULL))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_with_copy(process, &info);
    if (code != mqs_ok)
        return code;
    for (size_t i = 0; i < info->snapshot.partitioned_count; i++) {
        const struct partition_counts *partitions = &info->snapshot.partitions[i];
        if (partitions->active != NULL && partitions->active->posted == serial)
            return partition_runs_read(&info->target, partitions, ret_runs, capacity, ret_count);
    }
    return mqs_no_information;
}
