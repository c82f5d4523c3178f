/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about operations, in the queues and in the flight recorder.
 */
#include "replies/replies.h"

#include "facts/facts.h"

static void describe(const struct reading *reading, const struct communicator_view *view,
                     const struct mpilens_operation *operation, struct mpilens_operation_information *ret_answer)
{
    const struct operation_facts facts = operation_facts_get(reading, view, operation);
    const struct mpilens_function *function = function_table_get(&reading->functions, operation->function);
    struct mpilens_operation_information answer = {
        .serial = operation->posted,
        .posted = operation->posted_time,
        .site = operation->site,
        .request = operation->request,
        .buffer = operation->buffer,
        .communicator_id = view->record != NULL ? view->record->unique_id : 0,
        .datatype_handle = facts.datatype != NULL ? facts.datatype->handle : 0,
        .state = operation->state,
        .flags = operation->flags,
        .thread_index = operation->thread,
        .tag_wild = facts.tag_wild,
        .peer_local = facts.peer_local,
        .peer_world = facts.peer_world,
        .tag = facts.tag,
        .actual_local = facts.actual_local,
        .actual_world = facts.actual_world,
        .actual_tag = facts.actual_tag,
        .actual_bytes = facts.actual_bytes,
        .count = facts.count,
        .bytes = facts.bytes,
        .partition_count = -1,
        .partitions_marked = -1,
        .purpose = function->purpose,
    };
    const struct partition_counts *partitions = snapshot_partitions(&reading->snapshot, operation);
    if (partitions != NULL) {
        answer.partition_count = partitions->count;
        answer.partitions_marked = partitions->marked;
    }
    text_set(answer.function, sizeof answer.function, function->name);
    struct text text = text_begin(answer.datatype, sizeof answer.datatype);
    text_add_datatype(&text, reading, facts.datatype);
    *ret_answer = answer;
}

static int give(const struct reading *reading, const struct communicator_view *view,
                const struct mpilens_operation *operation, struct mpilens_operation_information *ret_operation)
{
    struct mpilens_operation_information answer;
    describe(reading, view, operation, &answer);
    reply_give(ret_operation, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_operation(mqs_process_info *info, struct mpilens_operation_information *ret_operation)
{
    const struct communicator_view *view = NULL;
    int code = reply_communicator(info, ret_operation, &view);
    if (code != mqs_ok)
        return code;
    if (info->operation == NULL)
        return MPILENS_ERROR_NO_CURRENT;
    return give(&info->reading, view, info->operation, ret_operation);
}

int reply_setup_completed_iterator(mqs_process_info *info)
{
    const struct communicator_view *view = NULL;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    info->completed =
        buckets_begin(&info->reading.snapshot.operations, info->communicator * QUEUE_COUNT + QUEUE_COMPLETED);
    return mqs_ok;
}

int reply_next_completed(mqs_process_info *info, struct mpilens_operation_information *ret_operation)
{
    const struct communicator_view *view = NULL;
    int code = reply_communicator(info, ret_operation, &view);
    if (code != mqs_ok)
        return code;
    const struct mpilens_operation *operation = buckets_next(&info->reading.snapshot.operations, &info->completed);
    if (operation == NULL)
        return mqs_end_of_list;
    return give(&info->reading, view, operation, ret_operation);
}
