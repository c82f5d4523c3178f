/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A snapshot as a file: an SQLite 3 database with an application_id and, as user_version, the version of its format.
 * Tables and columns may be added to a format; its version changes when what is there changes its meaning. A large one
 * is compressed, see snapshot_compressed.h.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_FILE_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_FILE_H

#include "base/reason.h"
#include "file/output_file.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SNAPSHOT_APPLICATION = 0x4d50494c, /* "MPIL" */
    SNAPSHOT_VERSION = 1,
};

struct snapshot_file {
    sqlite3 *database;
    const char *path;          /* as the user has named it */
    struct output_file output; /* where is_written */
    bool is_written;
    int64_t size;          /* of the file that is read, in bytes */
    size_t made_bytes;     /* rows that were made of it so far, and ... */
    size_t most_made;      /* ... of what it has at most: few bytes can claim many rows */
    const void *bytes;     /* where it stands in memory, which is read; NULL: it is a file */
    bool is_in_memory;     /* it is written there */
    bool is_light;         /* without views and tables that have no rows */
    struct reason *reason; /* why something could not be done */
};

/* Whether the file is an SQLite database, of whatever kind, or a snapshot that is compressed. */
bool snapshot_file_is_database(const char *path);

/* Both return 0 and a file to be closed, or -1 and a reason; `path` and `ret_reason` must last as long as the file. The
 * first is about to be written, in one transaction. */
int snapshot_file_create(const char *path, mode_t mode, struct snapshot_file *ret_file, struct reason *ret_reason);
int snapshot_file_open(const char *path, struct snapshot_file *ret_file, struct reason *ret_reason);
/* The same in memory; `name` is what sentences call it. What is opened must last as long as the file. */
int snapshot_file_create_in_memory(const char *name, struct snapshot_file *ret_file, struct reason *ret_reason);
int snapshot_file_open_bytes(const char *name, const void *bytes, size_t count, struct snapshot_file *ret_file,
                             struct reason *ret_reason);
/* Ends the transaction of one that was created in memory and gives its bytes, to be freed with sqlite3_free(). */
int snapshot_file_take_bytes(struct snapshot_file *file, unsigned char **ret_bytes, size_t *ret_count);
/* Ends the transaction and puts the file in the place of what had its name before. */
int snapshot_file_finish(struct snapshot_file *file);
/* What was created and not finished is removed. */
void snapshot_file_close(struct snapshot_file *file);

/* For snapshot_*.c and target_snapshot.c only. These return 0, or -1 and the file's reason. */
int snapshot_file_fail(struct snapshot_file *file);                     /* -1: says what SQLite says */
int snapshot_file_damaged(struct snapshot_file *file, const char *how); /* -1 */
int snapshot_file_run(struct snapshot_file *file, const char *statement);
int snapshot_file_prepare(struct snapshot_file *file, const char *text, sqlite3_stmt **ret_statement);
/* Steps a statement that gives nothing, and makes it ready to be bound again. */
int snapshot_file_step(struct snapshot_file *file, sqlite3_stmt *statement);
/* The next row: 1, or 0: there are no more, or -1 and the reason. */
int snapshot_file_next(struct snapshot_file *file, sqlite3_stmt *statement);
/* Whether it has a table of that name that is stored in it. */
bool snapshot_file_has_table(struct snapshot_file *file, const char *table);
/* Calls `visit` with the name of each column of the table that is stored in it. */
int snapshot_file_for_each_column(struct snapshot_file *file, const char *table,
                                  void (*visit)(void *context, const char *column), void *context);

#endif
