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

/* The rows of a table as they come: value 0 is the number, then the parent's where there is one, then the fields that
 * the file has and that differ between rows. */
struct snapshot_rows {
    const struct snapshot_table *table;
    const struct snapshot_field **fields; /* those that the file has */
    size_t field_count;
    const struct snapshot_field *
        *constants; /* that the file says to be the same in all rows, and are not among those */
    size_t constant_count;
    void *blank;            /* a row with them, in which everything else is not known */
    void *blank_shared;     /* what it shares */
    void *shared;           /* what the current row shares; NULL: the same as all */
    int64_t number;         /* of the current row, or the last one */
    sqlite3_value **values; /* of the current row */
};

/* Looks at the current row. 0: go on; -1 and the file's reason: an error. */
typedef int snapshot_look(void *context, const struct snapshot_rows *rows);

/* Calls `look` for each row of the table in order, none where there is no such table; *ret_count: their number, also
 * after an error. 0, or -1 and the file's reason. */
int snapshot_rows_read(struct snapshot_reader *reader, const struct snapshot_table *table, snapshot_look *look,
                       void *context, int64_t *ret_count);
/* Fills `ret_row` from the current one. 0, or -1 and the file's reason: then it may be filled in part. */
int snapshot_rows_take(struct snapshot_reader *reader, const struct snapshot_rows *rows, void *ret_row);

/* An integer between these. False: it is none. */
bool snapshot_value_integer(sqlite3_value *value, int64_t least, int64_t most, int64_t *ret_number);
bool snapshot_column_integer(sqlite3_stmt *statement, int column, int64_t least, int64_t most, int64_t *ret_number);

#endif
