/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the tables of a snapshot, parents before their children.
 */
#include "snapshot/snapshot_read_tables.h"

#include "base/allocation.h"
#include "snapshot/snapshot_rows.h"

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

/* Rows of one parent follow each other, in the order of the parents. */
static int read_row(struct snapshot_reader *reader, struct snapshot_rows *rows, const struct places *parents,
                    int64_t *parent_number)
{
    void *row = reader->job;
    if (rows->table->parent != NULL) {
        if (parents->rows == NULL ||
            !snapshot_column_integer(rows->statement, 1, *parent_number, (int64_t)parents->count, parent_number))
            return snapshot_file_damaged(reader->file, "rows are out of order");
        row = snapshot_append_row(rows->table, parents->rows[*parent_number - 1]);
    }
    if (row == NULL || (rows->table->parent == NULL && rows->number > 1))
        return snapshot_file_damaged(reader->file, "there are two of what can only be one");
    return snapshot_rows_take(reader, rows, row);
}

static int read_table(struct snapshot_reader *reader, const struct snapshot_table *table, struct places *places)
{
    static const struct places none = {0};
    const struct places *parents = table->parent != NULL ? &places[index_of(table->parent)] : &none;
    struct snapshot_rows rows;
    int64_t parent_number = 1;
    int more;
    if (snapshot_rows_begin(reader->file, table, &rows) != 0)
        return -1;
    while ((more = snapshot_rows_next(reader->file, &rows)) == 1)
        if (read_row(reader, &rows, parents, &parent_number) != 0) {
            more = -1;
            break;
        }
    if (more == 0 && table->parent == NULL && rows.number == 0)
        more = snapshot_file_damaged(reader->file, "there is no job in it");
    if (more == 0 && has_children(table))
        snapshot_for_each_row(reader->job, table, note_place, &places[index_of(table)]);
    snapshot_rows_clear(&rows);
    return more;
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
