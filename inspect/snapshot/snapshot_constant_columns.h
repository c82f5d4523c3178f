/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Columns that have the same in all rows of their table. A job of many ranks has many rows, and most members say
 * nothing in most jobs: who knows which ones do reads them once. The table `constant_column` names them.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_CONSTANT_COLUMNS_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_CONSTANT_COLUMNS_H

#include "snapshot/snapshot_file.h"
#include "snapshot/snapshot_tables.h"

/* Makes the table. 0, or -1 and the file's reason. */
int snapshot_constant_columns_begin(struct snapshot_file *file);
/* Names the fields of a table for which `varies` is false. Likewise. */
int snapshot_constant_columns_write(struct snapshot_file *file, const struct snapshot_table *table, const bool *varies);
/* Calls `visit` with the name of each such column of the table. What the file names need not be there. Likewise. */
int snapshot_constant_columns_visit(struct snapshot_file *file, const struct snapshot_table *table,
                                    void (*visit)(void *context, const char *column), void *context);

#endif
