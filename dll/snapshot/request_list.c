/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the requests that stand in no queue: operations other than sends and receives, and inactive persistent
 * requests.
 */
#include "snapshot/snapshot.h"

static bool is_listed(const struct snapshot *snapshot, const struct mpilens_operation *operation)
{
    if (operation->state == MPILENS_OPERATION_PERSISTENT) {
        const struct mpilens_operation *active = snapshot_partner(snapshot, operation);
        return active == NULL || !operation_is_live(active);
    }
    return operation_is_live(operation) && !operation_is_message(operation);
}

int snapshot_sort_requests(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_OPERATIONS];
    int code = buckets_create(&snapshot->requests, copy->record_count, 1);
    if (code != mqs_ok)
        return code;
    struct table_position position = {0};
    for (const struct mpilens_operation *operation; (operation = table_copy_next(copy, &position)) != NULL;)
        if (operation->state != 0 && is_listed(snapshot, operation))
            buckets_add(&snapshot->requests, 0, snapshot_operation_time(snapshot, operation), operation->posted,
                        operation);
    return buckets_finish(&snapshot->requests);
}
