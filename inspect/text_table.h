/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables on a terminal, through libsmartcols.
 */
#ifndef INSPECT_TEXT_TABLE_H
#define INSPECT_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text_table;

struct text_column {
    const char *name;
    bool right; /* aligned */
    bool cut;   /* where the terminal is too narrow */
};

struct text_table *text_table_create(const struct text_column *columns, size_t column_count, bool headings, bool color);
/* Appends a line of column_count cells, which are copied; `color` is a colour name of terminal-colors.d or NULL. */
void text_table_add(struct text_table *table, char *const cells[], const char *color);
/* Writes the table, if it has lines, and destroys it. 0, or -1 when writing failed. */
int text_table_finish(struct text_table *table, FILE *stream);

#endif
