/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Classifies operation records by their state and class.
 */
#include "snapshot/snapshot.h"

bool operation_is_live(const struct mpilens_operation *operation)
{
    switch (operation->state) {
    case MPILENS_OPERATION_PENDING:
    case MPILENS_OPERATION_MATCHED:
    case MPILENS_OPERATION_COMPLETE:
    case MPILENS_OPERATION_RELEASED:
        return true;
    default:
        return false;
    }
}

bool operation_is_message(const struct mpilens_operation *operation)
{
    return operation->flags & MPILENS_OPERATION_MESSAGE_CLASSES;
}

bool operation_is_to_nobody(const struct mpilens_operation *operation, int32_t proc_null)
{
    return operation->peer == proc_null &&
           (operation->flags & (MPILENS_OPERATION_MESSAGE_CLASSES | MPILENS_OPERATION_ONE_SIDED));
}

/* `next` is the runtime's own: of copies, snapshot_settle_requests has put the request there. */
uint64_t operation_former_request(const struct mpilens_operation *operation)
{
    return operation->next;
}

bool operation_is_complete(const struct mpilens_operation *operation)
{
    return operation->state == MPILENS_OPERATION_COMPLETE ||
           (!operation_is_message(operation) && operation->state == MPILENS_OPERATION_PENDING &&
            (operation->flags & MPILENS_OPERATION_FINISHED));
}
