/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the tables of a snapshot, parents before their children.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <stdlib.h>

/* Rows of a table by their number - 1, for the tables below it. */
struct places {
    void **rows;
    size_t count;
};

static size_t index_of(const struct snapshot_table *table)
{
    size_t index = 0;
    while (snapshot_tables[index] != table)
        index++;
    return index;
}

static int note_place(void *context, void *row, int64_t number, int64_t parent_number)
{
    struct places *places = context;
    (void)number;
    (void)parent_number;
    places->rows = array_append(places->rows, &places->count, sizeof(void *));
    places->rows[places->count - 1] = row;
    return 0;
}

static bool has_children(const struct snapshot_table *table)
{
    for (size_t i = 0; i < snapshot_table_count; i++)
        if (snapshot_tables[i]->parent == table)
            return true;
    return false;
}

/* Rows of one parent that were read and that it does not have yet: it takes many at once. */
enum { MOST_STAGED = 64 };
struct staged_rows {
    char *rows;
    size_t count;
    void *parent;
};

static void hand_over(const struct snapshot_table *table, struct staged_rows *staged)
{
    if (staged->count > 0)
        snapshot_append_rows(table, staged->parent, staged->rows, staged->count);
    staged->count = 0;
}

/* Where the next row of the parent is read to. NULL: it has one, and can have no more. */
static void *place_for_row(const struct snapshot_table *table, void *parent, struct staged_rows *staged)
{
    if (table->count_offset == SNAPSHOT_ONE)
        return snapshot_append_row(table, parent);
    if (staged->rows == NULL)
        staged->rows = allocate(MOST_STAGED * table->row_bytes);
    if (staged->parent != parent || staged->count == MOST_STAGED)
        hand_over(table, staged);
    staged->parent = parent;
    return staged->rows + staged->count++ * table->row_bytes;
}

/* A table that is being read. */
struct table_reading {
    struct snapshot_reader *reader;
    const struct places *parents;
    int64_t parent_number; /* of the last row */
    struct staged_rows staged;
};

/* Rows of one parent follow each other, in the order of the parents. */
static int read_row(void *context, const struct snapshot_rows *rows)
{
    struct table_reading *reading = context;
    struct snapshot_reader *reader = reading->reader;
    const struct places *parents = reading->parents;
    void *row = reader->job;
    if (rows->table->parent != NULL) {
        if (parents->rows == NULL || !snapshot_value_integer(rows->values[1], reading->parent_number,
                                                             (int64_t)parents->count, &reading->parent_number))
            return snapshot_file_damaged(reader->file, "rows are out of order");
        row = place_for_row(rows->table, parents->rows[reading->parent_number - 1], &reading->staged);
    }
    if (row == NULL || (rows->table->parent == NULL && rows->number > 1))
        return snapshot_file_damaged(reader->file, "there are two of what can only be one");
    return snapshot_rows_take(reader, rows, row);
}

static int read_table(struct snapshot_reader *reader, const struct snapshot_table *table, struct places *places)
{
    static const struct places none = {0};
    struct table_reading reading = {.reader = reader,
                                    .parents = table->parent != NULL ? &places[index_of(table->parent)] : &none,
                                    .parent_number = 1};
    int64_t count;
    int result = snapshot_rows_read(reader, table, read_row, &reading, &count);
    hand_over(table, &reading.staged); /* also what was read in part: the job gives it back */
    free(reading.staged.rows);
    if (result == 0 && table->parent == NULL && count == 0)
        result = snapshot_file_damaged(reader->file, "there is no job in it");
    if (result == 0 && has_children(table))
        snapshot_for_each_row(reader->job, table, note_place, &places[index_of(table)]);
    return result;
}

/* The job, and what stands directly below it. */
static bool is_outline(const struct snapshot_table *table)
{
    return table->parent == NULL || table->parent->parent == NULL;
}

int snapshot_read_tables(struct snapshot_reader *reader, bool in_full)
{
    struct places *places = allocate(snapshot_table_count * sizeof *places);
    int result = 0;
    for (size_t i = 0; result == 0 && i < snapshot_table_count; i++)
        if (in_full || is_outline(snapshot_tables[i]))
            result = read_table(reader, snapshot_tables[i], places);
    for (size_t i = 0; i < snapshot_table_count; i++)
        free(places[i].rows);
    free(places);
    return result;
}
