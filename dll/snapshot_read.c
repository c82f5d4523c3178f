/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the tables of a process that may be running, in an order that leaves no reference unresolved.
 */
#include "snapshot.h"

#include "callbacks.h"

#include <string.h>

/* Once, and three times more. */
enum { READ_AGAIN_LIMIT = 3 };

static int take_table(const struct snapshot_maker *maker, enum mpilens_table_kind kind, struct table_copy *ret_copy)
{
    return table_copy_take(maker->target, &maker->root->offsets, &maker->root->process.tables[kind], kind, ret_copy);
}

static bool is_torn(const struct mpilens_operation *operation)
{
    return operation->posted != operation->posted_check;
}

static bool makes_sense(const struct mpilens_operation *operation)
{
    uint32_t classes = operation->flags & (MPILENS_OPERATION_SEND | MPILENS_OPERATION_RECEIVE);
    return operation->state <= MPILENS_OPERATION_ABANDONED &&
           (classes == MPILENS_OPERATION_SEND || classes == MPILENS_OPERATION_RECEIVE);
}

static int settle_record(const struct snapshot_maker *maker, struct table_copy *copy, size_t number,
                         struct mpilens_operation *operation)
{
    for (int i = 0; is_torn(operation) && i < READ_AGAIN_LIMIT; i++) {
        int code = table_copy_reread(maker->target, &maker->root->offsets, copy, number);
        if (code != mqs_ok)
            return code;
    }
    if (is_torn(operation) || (operation->state != 0 && !makes_sense(operation))) {
        operation->state = 0;
        maker->snapshot->torn_records++;
    }
    return mqs_ok;
}

/* Reads torn records again; counts and unpublishes those that stay torn or make no sense. */
static int settle_operations(const struct snapshot_maker *maker, struct table_copy *copy)
{
    const bool has_check = maker->root->offsets.fields[MPILENS_FIELD_operation_posted_check].size > 0;
    for (size_t b = 0; b < copy->block_count; b++) {
        struct mpilens_operation *operations = (struct mpilens_operation *)(void *)copy->blocks[b].records;
        for (size_t i = 0; i < copy->blocks[b].count; i++) {
            if (!has_check)
                operations[i].posted_check = operations[i].posted;
            if (!is_torn(&operations[i]) && (operations[i].state == 0 || makes_sense(&operations[i])))
                continue;
            int code = settle_record(maker, copy, copy->blocks[b].first + i, &operations[i]);
            if (code != mqs_ok)
                return code;
        }
    }
    return mqs_ok;
}

/* The members of the groups that communicators have. */
static int read_group_ranks(const struct snapshot_maker *maker, const struct table_copy *communicators)
{
    struct snapshot *snapshot = maker->snapshot;
    const struct table_copy *groups = &snapshot->tables[MPILENS_TABLE_GROUPS];
    snapshot->groups = allocate_array(groups->record_count, sizeof(*snapshot->groups));
    if (!snapshot->groups)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < groups->record_count; i++)
        snapshot->groups[i] = (struct group_ranks){.code = mqs_no_information};
    for (size_t i = 0; i < communicators->record_count; i++) {
        const struct mpilens_communicator *communicator = table_copy_record(communicators, i);
        const uint64_t addresses[] = {communicator->group, communicator->remote_group};
        for (size_t side = 0; communicator->state != 0 && side < 2; side++) {
            size_t number = table_copy_find(groups, addresses[side]);
            if (number == no_record || snapshot->groups[number].code != mqs_no_information)
                continue;
            const struct mpilens_group *group = table_copy_record(groups, number);
            if (group->state == 0)
                continue;
            int code = group_ranks_read(maker->target, maker->root, group, addresses[side], &snapshot->groups[number]);
            if (code != mqs_ok)
                return code;
        }
    }
    return mqs_ok;
}

static bool is_same_communicator(const void *before, const void *after)
{
    const struct mpilens_communicator *a = before;
    const struct mpilens_communicator *b = after;
    return a->state != 0 && a->serial == b->serial && a->unique_id == b->unique_id;
}

static bool is_same_operation(const void *before, const void *after)
{
    const struct mpilens_operation *a = before;
    const struct mpilens_operation *b = after;
    return a->state != 0 && a->posted == b->posted;
}

/* Unpublishes what `after` holds and `before` did not; then drops `before` and puts `after` in its place. */
static void keep_what_lasted(struct table_copy *before, struct table_copy *after,
                             bool (*is_same)(const void *, const void *))
{
    for (size_t b = 0; b < after->block_count; b++) {
        const struct block *block = &after->blocks[b];
        for (size_t i = 0; i < block->count; i++) {
            uint8_t *record = block->records + i * after->record_size;
            size_t number = table_copy_find(before, block->address + (uint64_t)i * after->record_bytes);
            if (number == no_record || !is_same(table_copy_record(before, number), record))
                memset(record, 0, sizeof(uint32_t));
        }
    }
    table_copy_free(before);
    *before = *after;
    memset(after, 0, sizeof(*after));
}

static int look_again(const struct snapshot_maker *maker, enum mpilens_table_kind kind,
                      bool (*is_same)(const void *, const void *))
{
    struct table_copy after;
    int code = take_table(maker, kind, &after);
    if (code != mqs_ok)
        return code;
    if (kind == MPILENS_TABLE_OPERATIONS)
        code = settle_operations(maker, &after);
    if (code == mqs_ok)
        keep_what_lasted(&maker->snapshot->tables[kind], &after, is_same);
    else
        table_copy_free(&after);
    return code;
}

static bool threads_have_moved(const struct table_copy *before, const struct table_copy *after)
{
    if (before->record_count != after->record_count)
        return true;
    for (size_t i = 0; i < after->record_count; i++)
        if (table_copy_address(before, i) != table_copy_address(after, i) ||
            memcmp(table_copy_record(before, i), table_copy_record(after, i), after->record_size) != 0)
            return true;
    return false;
}

/* What one reads before communicators: all that refers to them. */
static const enum mpilens_table_kind referring[] = {MPILENS_TABLE_OPERATIONS, MPILENS_TABLE_CHANNELS,
                                                    MPILENS_TABLE_MESSAGES};
static const enum mpilens_table_kind referred_to[] = {MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_GROUPS,
                                                      MPILENS_TABLE_DATATYPES};

int snapshot_read(const struct snapshot_maker *maker, struct call_requests *ret_requests)
{
    struct snapshot *snapshot = maker->snapshot;
    int code = call_requests_read(maker, ret_requests);
    for (size_t i = 0; code == mqs_ok && i < sizeof(referring) / sizeof(referring[0]); i++)
        code = take_table(maker, referring[i], &snapshot->tables[referring[i]]);
    /* Tables may have grown by what the operations refer to. */
    if (code == mqs_ok)
        code = root_read_tables(maker->target, maker->root);
    for (size_t i = 0; code == mqs_ok && i < sizeof(referred_to) / sizeof(referred_to[0]); i++)
        code = take_table(maker, referred_to[i], &snapshot->tables[referred_to[i]]);
    if (code == mqs_ok)
        code = read_group_ranks(maker, &snapshot->tables[MPILENS_TABLE_COMMUNICATORS]);
    if (code == mqs_ok)
        code = root_read_tables(maker->target, maker->root);
    if (code == mqs_ok)
        code = take_table(maker, MPILENS_TABLE_THREADS, &snapshot->tables[MPILENS_TABLE_THREADS]);
    if (code != mqs_ok)
        return code;

    if (!threads_have_moved(&ret_requests->threads, &snapshot->tables[MPILENS_TABLE_THREADS]))
        return settle_operations(maker, &snapshot->tables[MPILENS_TABLE_OPERATIONS]);
    code = look_again(maker, MPILENS_TABLE_COMMUNICATORS, is_same_communicator);
    if (code == mqs_ok)
        code = look_again(maker, MPILENS_TABLE_OPERATIONS, is_same_operation);
    return code;
}
