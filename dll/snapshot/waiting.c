/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Indexes operations by request handle. A handle may stand for several operations at once (MPI libraries hand out one
 * handle for all operations that completed at once), and one operation may have a second one.
 */
#include "snapshot/snapshot.h"

#include "target/target.h"

#include <string.h>

static bool has_request(const struct mpilens_operation *operation)
{
    return operation_is_live(operation) && operation->request != 0;
}

static void mark_second(const struct table_copy *copy, const struct mpilens_operation *operation,
                        struct request_index *index)
{
    const bool has_one = operation_is_live(operation) && operation_is_message(operation) && operation->second != 0;
    size_t number = has_one ? table_copy_find(copy, operation->second) : no_record;
    if (number != no_record)
        index->is_second[number] = 1;
}

static void fill(const struct snapshot *snapshot, const struct table_copy *copy, struct request_index *index)
{
    memset(index->is_second, 0, copy->record_count);
    struct table_position position = {0};
    for (const struct mpilens_operation *operation; (operation = table_copy_next(copy, &position)) != NULL;)
        mark_second(copy, operation, index);
    position = (struct table_position){0};
    for (const struct mpilens_operation *operation; (operation = table_copy_next(copy, &position)) != NULL;)
        if (has_request(operation) && !index->is_second[position.number])
            index->operations[index->count++] = (struct sort_entry){
                operation->request, snapshot_operation_time(snapshot, operation), operation->posted, operation};
}

int request_index_create(const struct snapshot *snapshot, struct request_index *ret_index)
{
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_OPERATIONS];
    struct request_index index = {.count = 0};
    index.operations = allocate_array(copy->record_count, sizeof *index.operations);
    index.is_second = allocate_array(copy->record_count, 1);
    index.taken = allocate_array(copy->record_count, sizeof *index.taken);
    int code = MPILENS_ERROR_NO_MEMORY;
    if (index.operations != NULL && index.is_second != NULL && index.taken != NULL) {
        fill(snapshot, copy, &index);
        code = sort_entries(index.operations, index.count);
    }
    if (code != mqs_ok) {
        request_index_free(&index);
        return code;
    }
    memset(index.taken, 0, index.count * sizeof *index.taken);
    *ret_index = index;
    return mqs_ok;
}

void request_index_free(struct request_index *index)
{
    release(index->operations);
    release(index->is_second);
    release(index->taken);
    memset(index, 0, sizeof *index);
}

/* The first entry with this handle, or where it would be. */
static size_t first_of(const struct request_index *index, uint64_t handle)
{
    return sorted_place(index->operations, index->count, handle);
}

/* A call may name a handle that stands for many operations several times: each time the next of them is meant, the
 * oldest first. `taken` counts that, and is zero again when the call is done. */
void request_index_collect(struct reading *reading, struct request_index *index, const struct thread_requests *requests,
                           struct awaited *awaited)
{
    const struct snapshot *snapshot = &reading->snapshot;
    for (size_t i = 0; i < requests->count; i++) {
        const uint64_t handle = requests->handles[i];
        size_t first = first_of(index, handle);
        if (handle == reading->root.process.request_null || first == index->count)
            continue;
        size_t number = first + index->taken[first];
        if (number == index->count || index->operations[number].major != handle)
            continue;
        index->taken[first]++;
        const struct mpilens_operation *operation = index->operations[number].item;
        waiting_add(reading, awaited, operation);
        waiting_add(reading, awaited, snapshot_partner(snapshot, operation));
    }
    for (size_t i = 0; i < requests->count; i++) {
        size_t first = first_of(index, requests->handles[i]);
        if (first < index->count)
            index->taken[first] = 0;
    }
}

void waiting_add(struct reading *reading, struct awaited *awaited, const struct mpilens_operation *operation)
{
    if (operation == NULL || operation_is_to_nobody(operation, reading->root.process.proc_null) ||
        operation_is_complete(operation) ||
        (operation->state != MPILENS_OPERATION_PENDING && operation->state != MPILENS_OPERATION_MATCHED))
        return;
    for (size_t i = awaited->count; i > 0 && i + 4 > awaited->count; i--)
        if (awaited->serials[i - 1] == operation->posted)
            return;
    awaited->serials[awaited->count++] = operation->posted;
}
