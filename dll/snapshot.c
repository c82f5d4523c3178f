/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking, looking up and freeing a snapshot.
 */
#include "snapshot.h"

#include "callbacks.h"

#include <string.h>

int snapshot_take(const struct target *target, struct root *root, const struct function_table *functions,
                  struct snapshot *ret_snapshot)
{
    memset(ret_snapshot, 0, sizeof(*ret_snapshot));
    const struct snapshot_maker maker = {target, root, functions, ret_snapshot};
    struct call_requests requests;
    memset(&requests, 0, sizeof(requests));
    int code = snapshot_read(&maker, &requests);
    if (code == mqs_ok) {
        snapshot_settle_requests(&maker);
        code = snapshot_list_communicators(&maker);
    }
    if (code == mqs_ok)
        code = snapshot_sort_operations(&maker);
    if (code == mqs_ok)
        code = snapshot_sort_traffic(&maker);
    if (code == mqs_ok)
        code = snapshot_view_threads(&maker, &requests);
    call_requests_free(&requests);
    if (code != mqs_ok)
        snapshot_free(ret_snapshot);
    return code;
}

void snapshot_free(struct snapshot *snapshot)
{
    for (size_t i = 0; snapshot->threads && i < snapshot->thread_count; i++)
        release(snapshot->threads[i].waiting);
    release(snapshot->threads);
    buckets_free(&snapshot->operations);
    buckets_free(&snapshot->channels);
    buckets_free(&snapshot->messages);
    release(snapshot->communicators);
    release(snapshot->communicator_places);
    release(snapshot->communicator_ids);
    for (size_t i = 0; snapshot->groups && i < snapshot->tables[MPILENS_TABLE_GROUPS].record_count; i++)
        group_ranks_free(&snapshot->groups[i]);
    release(snapshot->groups);
    for (unsigned kind = 0; kind < MPILENS_TABLE_COUNT; kind++)
        table_copy_free(&snapshot->tables[kind]);
    memset(snapshot, 0, sizeof(*snapshot));
}

/* Published records begin with their state; 0 is "not published". */
static const void *published(const struct snapshot *snapshot, enum mpilens_table_kind kind, uint64_t address)
{
    const struct table_copy *copy = &snapshot->tables[kind];
    size_t number = table_copy_find(copy, address);
    if (number == no_record)
        return NULL;
    const uint32_t *state = table_copy_record(copy, number);
    return *state != 0 ? state : NULL;
}

const struct mpilens_communicator *snapshot_communicator(const struct snapshot *snapshot, uint64_t address)
{
    return published(snapshot, MPILENS_TABLE_COMMUNICATORS, address);
}

const struct mpilens_operation *snapshot_operation(const struct snapshot *snapshot, uint64_t address)
{
    return published(snapshot, MPILENS_TABLE_OPERATIONS, address);
}

const struct mpilens_datatype *snapshot_datatype(const struct snapshot *snapshot, uint64_t address)
{
    return published(snapshot, MPILENS_TABLE_DATATYPES, address);
}

const struct group_ranks *snapshot_group(const struct snapshot *snapshot, uint64_t address)
{
    size_t number = table_copy_find(&snapshot->tables[MPILENS_TABLE_GROUPS], address);
    return number == no_record ? NULL : &snapshot->groups[number];
}

const struct mpilens_communicator *snapshot_communicator_by_id(const struct snapshot *snapshot, uint64_t unique_id)
{
    size_t low = 0;
    size_t high = snapshot->communicator_id_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (snapshot->communicator_ids[middle].major < unique_id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == snapshot->communicator_id_count || snapshot->communicator_ids[low].major != unique_id)
        return NULL;
    return snapshot->communicator_ids[low].item;
}

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

uint64_t snapshot_operation_time(const struct snapshot *snapshot, const struct mpilens_operation *operation)
{
    return snapshot->one_thread ? 0 : operation->posted_time;
}

bool thread_is_polling(const struct function_table *functions, const struct mpilens_thread *thread)
{
    if (thread->polls == 0 || thread->operations != thread->poll_operations ||
        thread->completions != thread->poll_completions)
        return false;
    if (thread->function == 0)
        return true;
    uint32_t call_class = function_table_get(functions, thread->function)->call_class;
    return call_class == MPILENS_CALL_TEST || call_class == MPILENS_CALL_IPROBE;
}
