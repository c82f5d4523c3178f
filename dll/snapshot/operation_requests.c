/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Corrects the request handles of copied operations: a record keeps the handle of its former life until the library
 * has said the new one.
 */
#include "snapshot/snapshot.h"

static bool keeps_request(const struct mpilens_operation *operation)
{
    return operation->state != MPILENS_OPERATION_RELEASED && operation->state != MPILENS_OPERATION_RETIRED &&
           !(operation->flags & MPILENS_OPERATION_BLOCKING);
}

/* The record that stands at this address, to be changed. */
static struct mpilens_operation *find(struct table_copy *copy, uint64_t address)
{
    size_t number = table_copy_find(copy, address);
    return number == no_record ? NULL : table_copy_record(copy, number);
}

/* A thread that is still in the call that starts a nonblocking operation has no request for it yet. */
static void forget_unbound(const struct snapshot *snapshot, struct table_copy *operations)
{
    const struct table_copy *threads = &snapshot->tables[MPILENS_TABLE_THREADS];
    for (size_t i = 0; i < threads->record_count; i++) {
        const struct mpilens_thread *thread = table_copy_record(threads, i);
        const uint64_t addresses[] = {thread->operation, thread->operation_2};
        for (size_t side = 0; thread->state == MPILENS_THREAD_ALIVE && thread->function != 0 && side < 2; side++) {
            struct mpilens_operation *operation = find(operations, addresses[side]);
            if (operation != NULL && operation->function == thread->function &&
                operation->state == MPILENS_OPERATION_PENDING)
                operation->request = 0;
        }
    }
}

void snapshot_settle_requests(struct reading *reading)
{
    struct table_copy *copy = &reading->snapshot.tables[MPILENS_TABLE_OPERATIONS];
    forget_unbound(&reading->snapshot, copy);
    struct table_position position = {0};
    for (struct mpilens_operation *operation; (operation = table_copy_next(copy, &position)) != NULL;) {
        const bool keeps = keeps_request(operation);
        operation->next = keeps || (operation->flags & MPILENS_OPERATION_BLOCKING) ? 0 : operation->request;
        if (!keeps)
            operation->request = 0;
        struct mpilens_operation *second =
            operation_is_message(operation) && operation->second != 0 ? find(copy, operation->second) : NULL;
        if (second != NULL && operation_is_live(operation) && operation_is_live(second))
            second->request = operation->request;
    }
}
