/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables for people, through libsmartcols. Cells may have texts of applications: all are escaped. On a terminal no line
 * is wider than that: cells have several lines where they must, columns in the middle are put together where there are
 * many, and where even that is too wide, each row is a paragraph.
 */
#ifndef MPILENS_INSPECT_TEXT_TEXT_TABLE_H
#define MPILENS_INSPECT_TEXT_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text_table;

struct text_column {
    const char *name;
    bool right; /* aligned */
    bool whole; /* the first word of a cell is never broken, such as a file and line */
};

struct text_table *text_table_create(const struct text_column *columns, size_t column_count, bool headings, bool color);
/* The same, to be filled by text_table_add_below: the first column shows which lines are below which. */
struct text_table *text_table_create_tree(const struct text_column *columns, size_t column_count, bool headings,
                                          bool color);
/* Of the terminal, 0: as wide as it becomes. Without it, by the stream. */
void text_table_set_width(struct text_table *table, size_t width);
/* Appends a line of column_count cells, which are copied; `color` is a colour name of terminal-colors.d or NULL. */
void text_table_add(struct text_table *table, char *const cells[], const char *color);
/* The same below a line that was added before, NULL: below none. The result stands for the line until the table is
 * finished. */
struct text_line;
struct text_line *text_table_add_below(struct text_table *table, struct text_line *parent, char *const cells[]);
/* Writes the table, if it has lines, and destroys it. 0, or -1 when writing failed. */
int text_table_finish(struct text_table *table, FILE *stream);

#endif
