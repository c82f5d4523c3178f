/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the rows of a table in the model.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <string.h>

/* The rows below one row of the parent. */
struct expansion {
    const struct snapshot_table *table;
    snapshot_visit *visit;
    void *context;
    int64_t number;
};

static char *items_of(const struct snapshot_table *table, const void *parent)
{
    char *items;
    memcpy(&items, (const char *)parent + table->items_offset, sizeof items);
    return items;
}

static size_t count_of(const struct snapshot_table *table, const void *parent)
{
    size_t count;
    if (table->count_offset == SNAPSHOT_ONE)
        return items_of(table, parent) != NULL;
    memcpy(&count, (const char *)parent + table->count_offset, sizeof count);
    return count;
}

static int expand(void *context, void *parent, int64_t parent_number, int64_t grandparent_number)
{
    struct expansion *expansion = context;
    const struct snapshot_table *table = expansion->table;
    const size_t count = count_of(table, parent);
    char *row = items_of(table, parent);
    int result = 0;
    (void)grandparent_number;
    for (size_t i = 0; i < count && result == 0; i++, row += table->row_bytes)
        if (table->is_stored == NULL || table->is_stored(row))
            result = expansion->visit(expansion->context, row, ++expansion->number, parent_number);
    return result;
}

int snapshot_for_each_row(struct job *job, const struct snapshot_table *table, snapshot_visit *visit, void *context)
{
    if (table->parent == NULL)
        return visit(context, job, 1, 0);
    struct expansion expansion = {.table = table, .visit = visit, .context = context};
    return snapshot_for_each_row(job, table->parent, expand, &expansion);
}

/* The first of so many new rows, of a table that is not SNAPSHOT_ONE. */
static void *extend(const struct snapshot_table *table, void *parent, size_t more)
{
    const size_t before = count_of(table, parent);
    size_t count = before;
    char *items = array_extend(items_of(table, parent), &count, more, table->row_bytes);
    memcpy((char *)parent + table->count_offset, &count, sizeof count);
    memcpy((char *)parent + table->items_offset, &items, sizeof items);
    return items + before * table->row_bytes;
}

void snapshot_append_rows(const struct snapshot_table *table, void *parent, const void *rows, size_t count)
{
    memcpy(extend(table, parent, count), rows, count * table->row_bytes);
}

void *snapshot_append_row(const struct snapshot_table *table, void *parent)
{
    if (table->count_offset != SNAPSHOT_ONE)
        return extend(table, parent, 1);
    if (items_of(table, parent) != NULL)
        return NULL;
    void *row = allocate(table->row_bytes);
    memcpy((char *)parent + table->items_offset, &row, sizeof row);
    return row;
}
