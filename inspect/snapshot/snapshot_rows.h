/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The structs of the model as rows of tables.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_ROWS_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_ROWS_H

#include "snapshot/snapshot_tables.h"

/* Calls `visit` for each row of the table in order, numbers counted from 1, until it returns another value than 0, and
 * returns that. */
typedef int snapshot_visit(void *context, void *row, int64_t number, int64_t parent_number);
int snapshot_for_each_row(struct job *job, const struct snapshot_table *table, snapshot_visit *visit, void *context);

/* Appends so many rows, of a table that is not SNAPSHOT_ONE, and what they own. */
void snapshot_append_rows(const struct snapshot_table *table, void *parent, const void *rows, size_t count);
/* Appends a row in which everything is not known. NULL: the parent has one, and can have no more. */
void *snapshot_append_row(const struct snapshot_table *table, void *parent);

#endif
