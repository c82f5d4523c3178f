/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the communicators of a snapshot, in the order in which they are shown.
 */
#include "snapshot/snapshot.h"

#include "target/target.h"

#include <string.h>

/* Whether the operation is one of its communicator, not of another object or of none. */
static bool is_shown_there(const struct mpilens_operation *operation)
{
    return operation->flags & (MPILENS_OPERATION_MESSAGE_CLASSES | MPILENS_OPERATION_COLLECTIVE);
}

/* Marks in communicator_places the records that live operations refer to. Returns whether there are messages whose
 * communicator is not known. */
static bool mark_referenced(struct snapshot *snapshot, int32_t proc_null)
{
    const struct table_copy *operations = &snapshot->tables[MPILENS_TABLE_OPERATIONS];
    const struct table_copy *communicators = &snapshot->tables[MPILENS_TABLE_COMMUNICATORS];
    bool some_unknown = false;
    struct table_position position = {0};
    for (const struct mpilens_operation *operation; (operation = table_copy_next(operations, &position)) != NULL;) {
        if (!operation_is_live(operation) || !is_shown_there(operation) || operation_is_to_nobody(operation, proc_null))
            continue;
        if (snapshot_communicator(snapshot, operation->communicator) != NULL)
            snapshot->communicator_places[table_copy_find(communicators, operation->communicator)] = 0;
        else if (operation_is_message(operation))
            some_unknown = true;
    }
    return some_unknown;
}

static bool is_world(const struct mpilens_communicator *communicator)
{
    return (communicator->flags & MPILENS_OBJECT_PREDEFINED) && strcmp(communicator->name, "MPI_COMM_WORLD") == 0;
}

/* Sorts the records to be listed and fills communicator_ids. */
static int sort_records(struct snapshot *snapshot, struct sort_entry *order, size_t *ret_count)
{
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_COMMUNICATORS];
    size_t count = 0;
    for (size_t i = 0; i < copy->record_count; i++) {
        const struct mpilens_communicator *record = table_copy_record(copy, i);
        if (record->state == 0)
            continue;
        snapshot->communicator_ids[snapshot->communicator_id_count++] =
            (struct sort_entry){record->unique_id, record->state, record->serial, record};
        if (record->state == MPILENS_OBJECT_LIVE || snapshot->communicator_places[i] != no_record)
            order[count++] = (struct sort_entry){is_world(record) ? 0 : 1, record->serial, i, record};
    }
    *ret_count = count;
    int code = sort_entries(snapshot->communicator_ids, snapshot->communicator_id_count);
    return code == mqs_ok ? sort_entries(order, count) : code;
}

static void make_views(struct snapshot *snapshot, const struct sort_entry *order, size_t count, bool some_unknown)
{
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_COMMUNICATORS];
    for (size_t i = 0; i < copy->record_count; i++)
        snapshot->communicator_places[i] = no_record;
    for (size_t i = 0; i < count; i++) {
        snapshot->communicator_places[order[i].minor] = i;
        snapshot->communicators[i] = snapshot_communicator_view(snapshot, order[i].item);
    }
    if (some_unknown)
        snapshot->communicators[count++] = snapshot_communicator_view(snapshot, NULL);
    snapshot->communicator_count = count;
}

int snapshot_list_communicators(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const size_t limit = snapshot->tables[MPILENS_TABLE_COMMUNICATORS].record_count;
    snapshot->communicator_places = allocate_array(limit, sizeof *snapshot->communicator_places);
    snapshot->communicator_ids = allocate_array(limit, sizeof *snapshot->communicator_ids);
    snapshot->communicators = allocate_array(limit + 1, sizeof *snapshot->communicators);
    struct sort_entry *order = allocate_array(limit, sizeof *order);
    int code = MPILENS_ERROR_NO_MEMORY;
    if (snapshot->communicator_places != NULL && snapshot->communicator_ids != NULL &&
        snapshot->communicators != NULL && order != NULL) {
        for (size_t i = 0; i < limit; i++)
            snapshot->communicator_places[i] = no_record;
        bool some_unknown = mark_referenced(snapshot, reading->root.process.proc_null);
        size_t count = 0;
        code = sort_records(snapshot, order, &count);
        if (code == mqs_ok)
            make_views(snapshot, order, count, some_unknown);
    }
    release(order);
    return code;
}
