/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the partition marks of a request, and counts them.
 */
#include "snapshot/snapshot.h"

#include "target/target.h"

/* More requests than these, or partitions of one, are counted by nobody. */
enum { MOST_REQUESTS = 1024, MOST_PARTITIONS = 1 << 22 };

/* mqs_ok: *ret_marks are counts->count bytes, to be released. */
static int read_marks(const struct target *target, const struct partition_counts *counts, uint8_t **ret_marks)
{
    if (counts->count > MOST_PARTITIONS)
        return mqs_no_information;
    uint8_t *marks = allocate_array(counts->count > 0 ? counts->count : 1, 1);
    if (marks == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    const int code = counts->count > 0 ? target_read(target, counts->marks, counts->count, marks) : mqs_ok;
    if (code == mqs_ok)
        *ret_marks = marks;
    else
        release(marks);
    return code;
}

/* Sets counts->marked where the marks can be read. Returns MPILENS_ERROR_NO_MEMORY or mqs_ok. */
static int count_marks(const struct target *target, struct partition_counts *counts)
{
    uint8_t *marks = NULL;
    const int code = read_marks(target, counts, &marks);
    if (code != mqs_ok)
        return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
    counts->marked = 0;
    for (uint32_t i = 0; i < counts->count; i++)
        counts->marked += marks[i] != 0;
    release(marks);
    return mqs_ok;
}

int partition_runs_read(const struct target *target, const struct partition_counts *counts,
                        struct mpilens_partition_run *ret_runs, size_t capacity, size_t *ret_count)
{
    uint8_t *marks = NULL;
    const int code = read_marks(target, counts, &marks);
    if (code != mqs_ok)
        return code;
    size_t runs = 0;
    for (uint32_t first = 0, end; first < counts->count; first = end, runs++) {
        for (end = first + 1; end < counts->count && !marks[end] == !marks[first];)
            end++;
        if (runs < capacity)
            ret_runs[runs] = (struct mpilens_partition_run){first, end - first, marks[first] != 0, 0};
    }
    release(marks);
    *ret_count = runs;
    return mqs_ok;
}

static bool is_partitioned(const struct mpilens_operation *operation)
{
    return operation->state == MPILENS_OPERATION_PERSISTENT && (operation->flags & MPILENS_OPERATION_PARTITIONED);
}

/* An active persistent request has the partitions of the operation that it started. */
static int add(struct reading *reading, const struct mpilens_operation *persistent)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct mpilens_partitions *record =
        snapshot_record(snapshot, MPILENS_TABLE_PARTITIONS, persistent->partitions);
    if (record == NULL || snapshot->partitioned_count == MOST_REQUESTS)
        return mqs_ok;
    const size_t number = snapshot->partitioned_count++;
    struct partition_counts *counts = &snapshot->partitions[number];
    const struct mpilens_operation *active = snapshot_partner(snapshot, persistent);
    *counts = (struct partition_counts){record->count, -1, record->marks, active};
    snapshot->partitioned[number] = (struct sort_entry){
        .major = (uintptr_t)(active != NULL ? active : persistent), .middle = number, .item = counts};
    return count_marks(&reading->target, counts);
}

int snapshot_read_partitions(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_OPERATIONS];
    if (snapshot->tables[MPILENS_TABLE_PARTITIONS].record_count == 0)
        return mqs_ok;
    snapshot->partitions = allocate_array(MOST_REQUESTS, sizeof *snapshot->partitions);
    snapshot->partitioned = allocate_array(MOST_REQUESTS, sizeof *snapshot->partitioned);
    int code = snapshot->partitions != NULL && snapshot->partitioned != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    struct table_position position = {0};
    for (const struct mpilens_operation *operation;
         code == mqs_ok && (operation = table_copy_next(copy, &position)) != NULL;)
        if (is_partitioned(operation))
            code = add(reading, operation);
    return code == mqs_ok ? sort_entries(snapshot->partitioned, snapshot->partitioned_count) : code;
}
