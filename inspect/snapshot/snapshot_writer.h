/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes rows into a snapshot. Texts, places and groups are written once, when the first row refers to them. For
 * snapshot*.c only.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITER_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITER_H

#include "snapshot/snapshot_write_references.h"

/* Zero-initialised but `file`, then begun. */
struct snapshot_writer {
    struct snapshot_file *file;
    struct snapshot_references references;
    int64_t site_count;
    sqlite3_stmt *site_insertion;
};

/* Makes the tables that rows refer to. 0, or -1 and the file's reason. */
int snapshot_writer_begin(struct snapshot_writer *writer);
void snapshot_writer_clear(struct snapshot_writer *writer);

/* 0, or -1 and the file's reason. */
int snapshot_write_table(struct snapshot_writer *writer, struct job *job, const struct snapshot_table *table);
/* Binds the fields of a row to the columns from `column` on. Likewise. */
int snapshot_bind_row(struct snapshot_writer *writer, sqlite3_stmt *statement, int column,
                      const struct snapshot_table *table, const void *row);

#endif
