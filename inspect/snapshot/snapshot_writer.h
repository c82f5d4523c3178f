/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes rows into a snapshot. Texts, places and groups are written once, when the first row refers to them. For
 * snapshot*.c only.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITER_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITER_H

#include "base/pointer_numbers.h"
#include "snapshot/snapshot_file.h"
#include "snapshot/snapshot_tables.h"

/* Zero-initialised but `file`, then begun. */
struct snapshot_writer {
    struct snapshot_file *file;
    struct pointer_numbers numbers; /* of texts, sites and groups by their addresses */
    void *texts;                    /* tsearch tree of numbered texts */
    int64_t text_count, site_count, group_count, range_count;
    sqlite3_stmt *text_insertion, *site_insertion, *group_insertion, *range_insertion;
};

/* 0, or -1 and the file's reason. */
int snapshot_write_table(struct snapshot_writer *writer, struct job *job, const struct snapshot_table *table);

/* Binds a reference to the column; 0 is NULL. */
void snapshot_bind_number(sqlite3_stmt *statement, int column, int64_t number);

/* Makes a table and a statement that inserts into it: row, a column for the parent where it has one, the fields.
 * 0, or -1 and the file's reason. */
int snapshot_create_table(struct snapshot_file *file, const struct snapshot_table *table, sqlite3_stmt **ret_insertion);
/* Binds the fields of a row to the columns from `column` on. Likewise. */
int snapshot_bind_row(struct snapshot_writer *writer, sqlite3_stmt *statement, int column,
                      const struct snapshot_table *table, const void *row);

#endif
