/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables on a terminal, through libsmartcols.
 */
#include "text_table.h"

#include "allocation.h"

#include <libsmartcols.h>
#include <stdlib.h>

struct text_table {
    struct libscols_table *table;
    size_t column_count;
};

struct text_table *text_table_create(const struct text_column *columns, size_t column_count, bool headings, bool color)
{
    struct text_table *table = allocate(sizeof *table);
    table->table = scols_new_table();
    table->column_count = column_count;
    if (table->table == NULL)
        return table;
    scols_table_enable_noheadings(table->table, !headings);
    scols_table_enable_colors(table->table, color);
    scols_table_set_column_separator(table->table, "  ");
    for (size_t i = 0; i < column_count; i++)
        scols_table_new_column(table->table, columns[i].name, 0,
                               (columns[i].right ? SCOLS_FL_RIGHT : 0) | (columns[i].cut ? SCOLS_FL_TRUNC : 0));
    return table;
}

struct text_table *text_table_create_tree(const struct text_column *columns, size_t column_count, bool headings,
                                          bool color)
{
    struct text_table *table = text_table_create(columns, column_count, headings, color);
    struct libscols_column *first = table->table != NULL ? scols_table_get_column(table->table, 0) : NULL;
    if (first != NULL)
        scols_column_set_flags(first, scols_column_get_flags(first) | SCOLS_FL_TREE);
    return table;
}

void text_table_add(struct text_table *table, char *const cells[], const char *color)
{
    struct libscols_line *line = table->table != NULL ? scols_table_new_line(table->table, NULL) : NULL;
    if (line == NULL)
        return;
    for (size_t i = 0; i < table->column_count; i++)
        scols_line_set_data(line, i, cells[i]);
    if (color != NULL)
        scols_line_set_color(line, color);
}

struct text_line *text_table_add_below(struct text_table *table, struct text_line *parent, char *const cells[])
{
    struct libscols_line *line =
        table->table != NULL ? scols_table_new_line(table->table, (struct libscols_line *)parent) : NULL;
    for (size_t i = 0; line != NULL && i < table->column_count; i++)
        scols_line_set_data(line, i, cells[i]);
    return (struct text_line *)line;
}

int text_table_finish(struct text_table *table, FILE *stream)
{
    int result = table->table != NULL ? 0 : -1;
    if (result == 0 && scols_table_get_nlines(table->table) > 0) {
        scols_table_set_stream(table->table, stream);
        result = scols_print_table(table->table) != 0 ? -1 : 0;
    }
    scols_unref_table(table->table);
    free(table);
    return result;
}
