/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks records up in a snapshot, and frees it.
 */
#include "snapshot/snapshot.h"

#include "target/target.h"

#include <string.h>

void snapshot_free(struct snapshot *snapshot)
{
    for (size_t i = 0; snapshot->threads != NULL && i < snapshot->thread_count; i++)
        for (size_t j = 0; j < MOST_POLLS; j++)
            release(snapshot->threads[i].awaited[j].serials);
    release(snapshot->threads);
    buckets_free(&snapshot->operations);
    buckets_free(&snapshot->channels);
    buckets_free(&snapshot->messages);
    buckets_free(&snapshot->unexpected);
    buckets_free(&snapshot->requests);
    buckets_free(&snapshot->objects);
    release(snapshot->partitioned);
    release(snapshot->partitions);
    for (size_t i = 0; i < snapshot->locked_window_count; i++)
        release(snapshot->window_locks[i].locks);
    release(snapshot->window_locks);
    release(snapshot->locked_windows);
    release(snapshot->communicators);
    release(snapshot->communicator_places);
    release(snapshot->communicator_ids);
    for (size_t i = 0; snapshot->groups != NULL && i < snapshot->tables[MPILENS_TABLE_GROUPS].record_count; i++)
        group_ranks_free(&snapshot->groups[i]);
    release(snapshot->groups);
    for (unsigned kind = 0; kind < MPILENS_TABLE_COUNT; kind++)
        table_copy_free(&snapshot->tables[kind]);
    memset(snapshot, 0, sizeof *snapshot);
}

/* Published records begin with their state; 0 is "not published". */
const void *snapshot_record(const struct snapshot *snapshot, enum mpilens_table_kind kind, uint64_t address)
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
    return snapshot_record(snapshot, MPILENS_TABLE_COMMUNICATORS, address);
}

const struct mpilens_operation *snapshot_operation(const struct snapshot *snapshot, uint64_t address)
{
    return snapshot_record(snapshot, MPILENS_TABLE_OPERATIONS, address);
}

const struct mpilens_datatype *snapshot_datatype(const struct snapshot *snapshot, uint64_t address)
{
    return snapshot_record(snapshot, MPILENS_TABLE_DATATYPES, address);
}

const struct mpilens_keyval *snapshot_keyval(const struct snapshot *snapshot, uint64_t address)
{
    return snapshot_record(snapshot, MPILENS_TABLE_KEYVALS, address);
}

const struct group_ranks *snapshot_group(const struct snapshot *snapshot, uint64_t address)
{
    size_t number = table_copy_find(&snapshot->tables[MPILENS_TABLE_GROUPS], address);
    return number == no_record || snapshot->groups == NULL ? NULL : &snapshot->groups[number];
}

uint64_t snapshot_communicator_id(const struct snapshot *snapshot, uint64_t address)
{
    const struct mpilens_communicator *communicator = snapshot_communicator(snapshot, address);
    return communicator != NULL ? communicator->unique_id : 0;
}

uint64_t snapshot_errhandler_handle(const struct snapshot *snapshot, uint64_t address)
{
    const struct mpilens_errhandler *errhandler = snapshot_record(snapshot, MPILENS_TABLE_ERRHANDLERS, address);
    return errhandler != NULL ? errhandler->handle : 0;
}

struct communicator_view snapshot_communicator_view(const struct snapshot *snapshot,
                                                    const struct mpilens_communicator *record)
{
    if (record == NULL)
        return (struct communicator_view){NULL, NULL, NULL};
    return (struct communicator_view){record, snapshot_group(snapshot, record->group),
                                      snapshot_group(snapshot, record->remote_group)};
}

const struct mpilens_communicator *snapshot_communicator_by_id(const struct snapshot *snapshot, uint64_t unique_id)
{
    struct table_position position = {0};
    const struct mpilens_communicator *communicator = NULL;
    if (snapshot->communicator_ids == NULL) { /* only the tables were copied */
        while ((communicator = table_copy_next(&snapshot->tables[MPILENS_TABLE_COMMUNICATORS], &position)) != NULL)
            if (communicator->state != 0 && communicator->unique_id == unique_id)
                return communicator;
        return NULL;
    }
    return sorted_item(snapshot->communicator_ids, snapshot->communicator_id_count, unique_id);
}

const struct mpilens_operation *snapshot_partner(const struct snapshot *snapshot,
                                                 const struct mpilens_operation *operation)
{
    const bool has_one = operation_is_message(operation) || operation->state == MPILENS_OPERATION_PERSISTENT;
    return has_one && operation->second != 0 ? snapshot_operation(snapshot, operation->second) : NULL;
}

uint64_t snapshot_operation_time(const struct snapshot *snapshot, const struct mpilens_operation *operation)
{
    return snapshot->one_thread ? 0 : operation->posted_time;
}

const struct partition_counts *snapshot_partitions(const struct snapshot *snapshot,
                                                   const struct mpilens_operation *operation)
{
    return sorted_item(snapshot->partitioned, snapshot->partitioned_count, (uintptr_t)operation);
}

const struct window_locks *snapshot_window_locks(const struct snapshot *snapshot, const struct mpilens_window *window)
{
    return sorted_item(snapshot->locked_windows, snapshot->locked_window_count, (uintptr_t)window);
}
