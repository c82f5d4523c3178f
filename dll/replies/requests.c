/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about requests that stand in no queue.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "snapshot/snapshot.h"

int mpilens_setup_request_iterator(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    int code = process_info_need_copy(info);
    if (code == mqs_ok)
        info->requests = buckets_begin(&info->reading.snapshot.requests, 0);
    return code;
}

int mpilens_next_request(mqs_process *process, struct mpilens_operation_information *ret_request)
{
    mqs_process_info *info = process_info(process);
    if (!reply_is_possible(ret_request))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    const struct mpilens_operation *operation = buckets_next(&info->reading.snapshot.requests, &info->requests);
    if (operation == NULL)
        return mqs_end_of_list;
    struct mpilens_operation_information answer;
    request_describe(&info->reading, operation, &answer);
    reply_give(ret_request, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_get_partitions(mqs_process *process, uint64_t serial, struct mpilens_partition_run *ret_runs,
                           size_t capacity, size_t *ret_count)
{
    mqs_process_info *info = process_info(process);
    if (ret_count == NULL || (capacity > 0 && ret_runs == NULL))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    for (size_t i = 0; i < info->reading.snapshot.partitioned_count; i++) {
        const struct partition_counts *partitions = &info->reading.snapshot.partitions[i];
        if (partitions->active != NULL && partitions->active->posted == serial)
            return partition_runs_read(&info->reading.target, partitions, ret_runs, capacity, ret_count);
    }
    return mqs_no_information;
}
