/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads rows of a snapshot into the model. Nothing that stands in the file is believed: every number is checked before
 * it is used. For snapshot*.c only.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_READER_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_READER_H

#include "snapshot/snapshot_file.h"
#include "snapshot/snapshot_tables.h"

struct snapshot_reader {
    struct snapshot_file *file;
    struct job *job;
    const char **texts; /* of job.names, by number - 1 */
    size_t text_count;
    const struct site **sites; /* of job.sites, by number - 1 */
    size_t site_count;
    const struct group **groups; /* of job.groups, by number - 1 */
    size_t group_count;
};

/* The rows of a table as they come: column 0 is the number, then the parent's where there is one, then the fields that
 * the file has. */
struct snapshot_rows {
    const struct snapshot_table *table;
    const struct snapshot_field **fields; /* those that the file has */
    size_t field_count;
    void *unknown;           /* a row in which everything is not known */
    int64_t number;          /* of the last row */
    sqlite3_stmt *statement; /* NULL: there is no such table */
};
/* 0, or -1 and the file's reason. */
int snapshot_rows_begin(struct snapshot_file *file, const struct snapshot_table *table, struct snapshot_rows *ret_rows);
/* The next row: 1, or 0: there are no more, or -1. */
int snapshot_rows_next(struct snapshot_file *file, struct snapshot_rows *rows);
/* Fills `ret_row` from the current one. 0, or -1 and the file's reason: then it may be filled in part. */
int snapshot_rows_take(struct snapshot_reader *reader, const struct snapshot_rows *rows, void *ret_row);
void snapshot_rows_clear(struct snapshot_rows *rows);

/* A column that has an integer between these. False: it has none. */
bool snapshot_column_integer(sqlite3_stmt *statement, int column, int64_t least, int64_t most, int64_t *ret_number);

#endif
