/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the tables of a process that may be running, in an order that leaves no reference unresolved.
 */
#include "snapshot/snapshot.h"

#include "target/target.h"

#include <string.h>

enum {
    MOST_READINGS = 3,                        /* of a torn record, after the first */
    CONFIRMATIONS = LOADS_ARE_ORDERED ? 0 : 2 /* of the threads, last of all */
};

static int take_table(struct reading *reading, enum mpilens_table_kind kind, struct table_copy *ret_copy)
{
    return table_copy_take(&reading->target, &reading->root.offsets, &reading->root.process.tables[kind], kind,
                           ret_copy);
}

/* The runtime writes posted_check before the fields and posted behind them. */
static bool is_torn(const struct mpilens_operation *operation)
{
    return operation->posted != operation->posted_check;
}

/* Every operation is of exactly one class. */
static bool makes_sense(const struct mpilens_operation *operation)
{
    uint32_t classes = operation->flags & (MPILENS_OPERATION_MESSAGE_CLASSES | MPILENS_OPERATION_OTHER_CLASSES);
    return operation->state <= MPILENS_OPERATION_ABANDONED && classes != 0 && (classes & (classes - 1)) == 0;
}

/* The owner needs a moment to write a record, so a torn one is mostly whole when it is read again. */
static int settle_record(struct reading *reading, struct table_copy *copy, size_t number,
                         struct mpilens_operation *operation)
{
    for (int i = 0; is_torn(operation) && i < MOST_READINGS; i++) {
        int code = table_copy_reread(&reading->target, &reading->root.offsets, copy, number);
        if (code != mqs_ok)
            return code;
    }
    if (is_torn(operation) || (operation->state != 0 && !makes_sense(operation))) {
        operation->state = 0;
        reading->snapshot.torn_records++;
    }
    return mqs_ok;
}

/* Reads torn records again; counts and unpublishes those that stay torn or make no sense. */
static int settle_operations(struct reading *reading, struct table_copy *copy)
{
    const bool has_check = reading->root.offsets.fields[MPILENS_FIELD_operation_posted_check].size > 0;
    struct table_position position = {0};
    for (struct mpilens_operation *operation; (operation = table_copy_next(copy, &position)) != NULL;) {
        if (!has_check)
            operation->posted_check = operation->posted;
        if (!is_torn(operation) && (operation->state == 0 || makes_sense(operation)))
            continue;
        int code = settle_record(reading, copy, position.number, operation);
        if (code != mqs_ok)
            return code;
    }
    return mqs_ok;
}

/* The members of the group whose record stands at this address, if one does, unless they were read before. */
static int read_group(struct reading *reading, uint64_t address)
{
    const struct table_copy *groups = &reading->snapshot.tables[MPILENS_TABLE_GROUPS];
    size_t number = table_copy_find(groups, address);
    if (number == no_record || reading->snapshot.groups[number].code != mqs_no_information)
        return mqs_ok;
    const struct mpilens_group *group = table_copy_record(groups, number);
    return group_ranks_read(&reading->target, &reading->root, group, address, &reading->snapshot.groups[number]);
}

static int read_groups(struct reading *reading, uint64_t first, uint64_t second)
{
    int code = read_group(reading, first);
    return code == mqs_ok ? read_group(reading, second) : code;
}

/* The members of the groups that communicators and the epochs of windows have. */
static int read_group_ranks(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const size_t count = snapshot->tables[MPILENS_TABLE_GROUPS].record_count;
    snapshot->groups = allocate_array(count, sizeof *snapshot->groups);
    if (snapshot->groups == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        snapshot->groups[i] = (struct group_ranks){.code = mqs_no_information};
    int code = group_ranks_refuse_shared(&reading->root, &snapshot->tables[MPILENS_TABLE_GROUPS], snapshot->groups);
    struct table_position position = {0};
    for (const struct mpilens_communicator *communicator;
         code == mqs_ok &&
         (communicator = table_copy_next(&snapshot->tables[MPILENS_TABLE_COMMUNICATORS], &position)) != NULL;)
        if (communicator->state != 0)
            code = read_groups(reading, communicator->group, communicator->remote_group);
    position = (struct table_position){0};
    for (const struct mpilens_window *window;
         code == mqs_ok && (window = table_copy_next(&snapshot->tables[MPILENS_TABLE_WINDOWS], &position)) != NULL;)
        if (window->state != 0)
            code = read_groups(reading, window->access_group, window->exposure_group);
    return code;
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

static bool is_same_object(const void *before, const void *after)
{
    const struct mpilens_object *a = before;
    const struct mpilens_object *b = after;
    return a->state != 0 && a->serial == b->serial && a->handle == b->handle;
}

/* A record that was given to something else between the two readings may be named by what meant its predecessor.
 * Unpublishes what `after` holds and `before` did not; then drops `before` and puts `after` in its place. */
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
    memset(after, 0, sizeof *after);
}

static int look_again(struct reading *reading, enum mpilens_table_kind kind,
                      bool (*is_same)(const void *, const void *))
{
    struct table_copy after;
    int code = take_table(reading, kind, &after);
    if (code != mqs_ok)
        return code;
    if (kind == MPILENS_TABLE_OPERATIONS)
        code = settle_operations(reading, &after);
    if (code == mqs_ok)
        keep_what_lasted(&reading->snapshot.tables[kind], &after, is_same);
    else
        table_copy_free(&after);
    return code;
}

/* Tables read before communicators: all that refer to these and to other objects. */
static const enum mpilens_table_kind referring[] = {MPILENS_TABLE_OPERATIONS, MPILENS_TABLE_CHANNELS,
                                                    MPILENS_TABLE_MESSAGES,   MPILENS_TABLE_UNEXPECTED,
                                                    MPILENS_TABLE_ATTRIBUTES, MPILENS_TABLE_FAILED_CALLS};
static const enum mpilens_table_kind referred_to[] = {MPILENS_TABLE_PARTITIONS, MPILENS_TABLE_COMMUNICATORS,
                                                      MPILENS_TABLE_GROUPS};
/* Other objects; referring tables come first. */
static const enum mpilens_table_kind objects[] = {
    MPILENS_TABLE_WINDOWS, MPILENS_TABLE_FILES,   MPILENS_TABLE_OPS,      MPILENS_TABLE_ERRHANDLERS,
    MPILENS_TABLE_INFOS,   MPILENS_TABLE_KEYVALS, MPILENS_TABLE_SESSIONS, MPILENS_TABLE_DATATYPES};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int take_tables(struct reading *reading, const enum mpilens_table_kind *kinds, size_t count)
{
    int code = mqs_ok;
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        code = take_table(reading, kinds[i], &reading->snapshot.tables[kinds[i]]);
    return code;
}

/* The threads have gone on meanwhile: only what was there before and after can be relied on. */
static int keep_what_is_whole(struct reading *reading)
{
    int code = look_again(reading, MPILENS_TABLE_COMMUNICATORS, is_same_communicator);
    if (code == mqs_ok)
        code = look_again(reading, MPILENS_TABLE_OPERATIONS, is_same_operation);
    for (size_t i = 0; code == mqs_ok && i < COUNT(objects); i++)
        if (reading->snapshot.tables[objects[i]].record_count > 0)
            code = look_again(reading, objects[i], is_same_object);
    return code;
}

/* Threads are read first, with the requests of their calls, and last: where none has moved in between, nothing has
 * changed. Where loads have no order, these are five copies of the threads, two first and three last. (A word of a
 * thread may be loaded before or after what one copy has of the others; the first copy shows what counts the calls up,
 * the second in which of them the thread is, the third how that is described, the fourth that it is in it still, the
 * fifth that none was counted up.) Between them, what refers comes before what is referred to: something made in
 * between is then there for all that names it, and something freed in between stays in its table for a while. */
int snapshot_read(struct reading *reading, struct call_requests *ret_requests)
{
    struct snapshot *snapshot = &reading->snapshot;
    struct table_copy *threads = &snapshot->tables[MPILENS_TABLE_THREADS];
    int code = call_requests_read(reading, ret_requests);
    if (code == mqs_ok)
        code = take_tables(reading, referring, COUNT(referring));
    /* Tables may have grown by what the operations refer to. */
    if (code == mqs_ok)
        code = root_read_tables(&reading->target, &reading->root);
    if (code == mqs_ok)
        code = take_tables(reading, objects, COUNT(objects));
    if (code == mqs_ok)
        code = take_tables(reading, referred_to, COUNT(referred_to));
    if (code == mqs_ok)
        code = read_group_ranks(reading);
    if (code == mqs_ok)
        code = root_read_tables(&reading->target, &reading->root);
    if (code == mqs_ok)
        code = take_table(reading, MPILENS_TABLE_THREADS, threads);
    if (code != mqs_ok)
        return code;
    for (int i = 0; i < CONFIRMATIONS && code == mqs_ok; i++)
        code = call_requests_confirm(reading, threads, ret_requests);
    if (code != mqs_ok)
        return code;
    if (ret_requests->have_moved || threads_have_moved(&ret_requests->threads, threads))
        return keep_what_is_whole(reading);
    snapshot->still = true;
    return settle_operations(reading, &snapshot->tables[MPILENS_TABLE_OPERATIONS]);
}
