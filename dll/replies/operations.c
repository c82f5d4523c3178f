/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about operations, in the queues and in the flight recorder.
 */
#include "replies/replies.h"

#include "facts/facts.h"

static int give(const struct reading *reading, const struct communicator_view *view,
                const struct mpilens_operation *operation, struct mpilens_operation_information *ret_operation)
{
    struct mpilens_operation_information answer;
    operation_describe(reading, view, operation, &answer);
    reply_give(ret_operation, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_get_operation(mqs_process *process, struct mpilens_operation_information *ret_operation)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = reply_communicator(info, ret_operation, &view);
    if (code != mqs_ok)
        return code;
    if (info->operation == NULL)
        return MPILENS_ERROR_NO_CURRENT;
    return give(&info->reading, view, info->operation, ret_operation);
}

int mpilens_setup_completed_iterator(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    info->completed =
        buckets_begin(&info->reading.snapshot.operations, info->communicator * QUEUE_COUNT + QUEUE_COMPLETED);
    return mqs_ok;
}

int mpilens_next_completed(mqs_process *process, struct mpilens_operation_information *ret_operation)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = reply_communicator(info, ret_operation, &view);
    if (code != mqs_ok)
        return code;
    const struct mpilens_operation *operation = buckets_next(&info->reading.snapshot.operations, &info->completed);
    if (operation == NULL)
        return mqs_end_of_list;
    return give(&info->reading, view, operation, ret_operation);
}
