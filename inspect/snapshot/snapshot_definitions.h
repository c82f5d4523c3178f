/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of a snapshot in SQL.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_DEFINITIONS_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_DEFINITIONS_H

#include "snapshot/snapshot_file.h"
#include "snapshot/snapshot_tables.h"

/* Makes a table and a statement that inserts into it: row, a column for the parent where it has one, the fields.
 * 0, or -1 and the file's reason. */
int snapshot_create_table(struct snapshot_file *file, const struct snapshot_table *table, sqlite3_stmt **ret_insertion);

#endif
