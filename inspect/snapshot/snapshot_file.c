/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A snapshot as a file. Files may be damaged or malicious: nothing in them is run, and only plain tables are read.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longer texts and blobs than these are not taken. */
enum { LONGEST_VALUE = 1 << 26 };

static const char magic[] = "SQLite format 3"; /* with its NUL */

static bool is_database(int file)
{
    char bytes[sizeof magic];
    return pread(file, bytes, sizeof bytes, 0) == sizeof bytes && memcmp(bytes, magic, sizeof bytes) == 0;
}

bool snapshot_file_is_database(const char *path)
{
    const int file = regular_file_open(path);
    if (file < 0)
        return false;
    const bool result = is_database(file) || snapshot_is_compressed(file);
    close(file);
    return result;
}

int snapshot_file_fail(struct snapshot_file *file)
{
    const int code = sqlite3_errcode(file->database) & 0xff;
    if (file->is_written || file->is_in_memory)
        return reason_set(file->reason, "%s: cannot be written: %s", file->path, sqlite3_errmsg(file->database));
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR || code == SQLITE_TOOBIG)
        return snapshot_file_damaged(file, sqlite3_errmsg(file->database));
    return reason_set(file->reason, "%s: cannot be read: %s", file->path, sqlite3_errmsg(file->database));
}

int snapshot_file_damaged(struct snapshot_file *file, const char *how)
{
    return reason_set(file->reason, "%s: the snapshot is damaged (%s): take another one", file->path, how);
}

int snapshot_file_run(struct snapshot_file *file, const char *statement)
{
    return sqlite3_exec(file->database, statement, NULL, NULL, NULL) == SQLITE_OK ? 0 : snapshot_file_fail(file);
}

int snapshot_file_prepare(struct snapshot_file *file, const char *text, sqlite3_stmt **ret_statement)
{
    return sqlite3_prepare_v2(file->database, text, -1, ret_statement, NULL) == SQLITE_OK ? 0
                                                                                          : snapshot_file_fail(file);
}

int snapshot_file_step(struct snapshot_file *file, sqlite3_stmt *statement)
{
    const int result = sqlite3_step(statement) == SQLITE_DONE ? 0 : snapshot_file_fail(file);
    sqlite3_reset(statement);
    return result;
}

int snapshot_file_next(struct snapshot_file *file, sqlite3_stmt *statement)
{
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return code == SQLITE_ROW;
    return snapshot_file_fail(file);
}

/* Whether the query gives a row for this name. */
static bool gives_row(struct snapshot_file *file, const char *query, const char *first)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(file->database, query, -1, &statement, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_text(statement, 1, first, -1, SQLITE_STATIC);
    const bool found = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return found;
}

bool snapshot_file_has_table(struct snapshot_file *file, const char *table)
{
    return gives_row(file, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?1", table);
}

int snapshot_file_for_each_column(struct snapshot_file *file, const char *table,
                                  void (*visit)(void *context, const char *column), void *context)
{
    sqlite3_stmt *statement;
    int more;
    if (snapshot_file_prepare(file, "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0", &statement) != 0)
        return -1;
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    while ((more = snapshot_file_next(file, statement)) == 1) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        if (name != NULL)
            visit(context, name);
    }
    sqlite3_finalize(statement);
    return more;
}

static int read_number(struct snapshot_file *file, const char *query, int64_t *ret_number)
{
    sqlite3_stmt *statement;
    if (snapshot_file_prepare(file, query, &statement) != 0)
        return -1;
    const int result = snapshot_file_next(file, statement);
    if (result == 1)
        *ret_number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return result == 1 ? 0 : result < 0 ? -1 : snapshot_file_damaged(file, "no header");
}

static int check_format(struct snapshot_file *file)
{
    int64_t application = 0, version = 0;
    if (read_number(file, "PRAGMA application_id", &application) != 0 ||
        read_number(file, "PRAGMA user_version", &version) != 0)
        return -1;
    if (application != SNAPSHOT_APPLICATION)
        return reason_set(file->reason, "%s is an SQLite database, but not a snapshot of mpilens", file->path);
    if (version < 1)
        return snapshot_file_damaged(file, "no version");
    if (version > SNAPSHOT_VERSION)
        return reason_set(file->reason,
                          "%s was written by a newer mpilens (its format is %lld, this mpilens reads %d): read it with "
                          "that",
                          file->path, (long long)version, SNAPSHOT_VERSION);
    return 0;
}

/* Rows are up to five times as long in memory as in files with few columns that differ. */
enum { LEAST_MADE = 1 << 21, MOST_MADE_RATIO = 6 };

/* SQLite takes the rest of a page that was cut off for zeros. */
static int check_size(struct snapshot_file *file)
{
    int64_t pages = 0, bytes = 1;
    if (read_number(file, "PRAGMA page_count", &pages) != 0 || read_number(file, "PRAGMA page_size", &bytes) != 0)
        return -1;
    file->most_made = LEAST_MADE + (size_t)(pages * bytes) * MOST_MADE_RATIO;
    if (file->bytes != NULL) /* which sqlite3_deserialize has looked at */
        return 0;
    if (file->size / bytes < pages)
        return snapshot_file_damaged(file, "its end is missing");
    return 0;
}

/* Goes on unless `result` says that it has failed. */
static int finish_opening(struct snapshot_file *file, int result, struct snapshot_file *ret_file)
{
    if (result == 0) {
        sqlite3_limit(file->database, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
        sqlite3_db_config(file->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        result = snapshot_file_run(file, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
    }
    if (result == 0)
        result = check_format(file);
    if (result == 0)
        result = check_size(file);
    if (result == 0)
        *ret_file = *file;
    else
        snapshot_file_close(file);
    return result;
}

int snapshot_file_open(const char *path, struct snapshot_file *ret_file, struct reason *ret_reason)
{
    struct snapshot_file file = {.path = path, .reason = ret_reason};
    struct stat information;
    int descriptor = regular_file_open(path), database;
    if (descriptor < 0)
        return reason_set(ret_reason, "%s: cannot be read: %s", path,
                          errno != 0 ? strerror(errno) : "it is not a regular file");
    if (snapshot_is_compressed(descriptor)) {
        const int result = snapshot_decompress(descriptor, path, &database, ret_reason);
        close(descriptor);
        if (result != 0)
            return -1;
        descriptor = database;
    }
    file.size = fstat(descriptor, &information) == 0 ? information.st_size : 0;
    int result = 0;
    if (database_storage_open(descriptor, SQLITE_OPEN_READONLY, &file.database) != SQLITE_OK)
        result = snapshot_file_fail(&file);
    result = finish_opening(&file, result, ret_file);
    close(descriptor); /* SQLite has its own */
    return result;
}

int snapshot_file_open_bytes(const char *name, const void *bytes, size_t count, struct snapshot_file *ret_file,
                             struct reason *ret_reason)
{
    struct snapshot_file file = {.path = name, .bytes = bytes, .reason = ret_reason};
    int result = 0;
    /* It is not written to. */
    unsigned char *content = (unsigned char *)(uintptr_t)bytes;
    if (sqlite3_open_v2(":memory:", &file.database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK ||
        sqlite3_deserialize(file.database, "main", content, (sqlite3_int64)count, (sqlite3_int64)count,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        result = snapshot_file_fail(&file);
    return finish_opening(&file, result, ret_file);
}

/* Nobody else sees the file before it is whole, so nothing is kept for an accident on the way. */
static const char preparation[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
                                  "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -32768; "
                                  "PRAGMA application_id = %d; PRAGMA user_version = %d; BEGIN";

/* `code`: result of opening the database. */
static int begin(struct snapshot_file *file, int code, struct snapshot_file *ret_file)
{
    char *statements = format_text(preparation, SNAPSHOT_APPLICATION, SNAPSHOT_VERSION);
    int result = 0;
    if (code != SQLITE_OK)
        result = snapshot_file_fail(file);
    if (result == 0)
        result = snapshot_file_run(file, statements);
    free(statements);
    if (result == 0)
        *ret_file = *file;
    else
        snapshot_file_close(file);
    return result;
}

int snapshot_file_create(const char *path, mode_t mode, struct snapshot_file *ret_file, struct reason *ret_reason)
{
    struct snapshot_file file = {.path = path, .is_written = true, .reason = ret_reason};
    if (output_file_create(path, mode, &file.output, ret_reason) != 0)
        return -1;
    return begin(&file, database_storage_open(file.output.descriptor, SQLITE_OPEN_READWRITE, &file.database), ret_file);
}

int snapshot_file_create_in_memory(const char *name, struct snapshot_file *ret_file, struct reason *ret_reason)
{
    struct snapshot_file file = {.path = name, .is_in_memory = true, .reason = ret_reason};
    return begin(&file, sqlite3_open_v2(":memory:", &file.database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL),
                 ret_file);
}

int snapshot_file_take_bytes(struct snapshot_file *file, unsigned char **ret_bytes, size_t *ret_count)
{
    sqlite3_int64 count = 0;
    if (snapshot_file_run(file, "COMMIT") != 0)
        return -1;
    unsigned char *bytes = sqlite3_serialize(file->database, "main", &count, 0);
    if (bytes == NULL)
        return reason_set(file->reason, "%s: there is not enough memory", file->path);
    *ret_bytes = bytes;
    *ret_count = (size_t)count;
    return 0;
}

/* In the place of the database. */
static int compress(struct snapshot_file *file)
{
    struct output_file compressed;
    struct stat information;
    if (fstat(file->output.descriptor, &information) != 0)
        return output_file_fail(&file->output, errno, file->reason);
    if (output_file_create(file->path, information.st_mode & 07777, &compressed, file->reason) != 0)
        return -1;
    const int error = snapshot_compress(file->output.descriptor, compressed.descriptor);
    if (error != 0) {
        output_file_discard(&compressed);
        return output_file_fail(&file->output, error, file->reason);
    }
    output_file_discard(&file->output);
    file->output = compressed;
    return 0;
}

int snapshot_file_finish(struct snapshot_file *file)
{
    if (snapshot_file_run(file, "COMMIT") != 0)
        return -1;
    if (sqlite3_close(file->database) != SQLITE_OK)
        return snapshot_file_fail(file);
    file->database = NULL;
    if (snapshot_is_large(file->output.descriptor) && compress(file) != 0)
        return -1;
    file->is_written = false;
    return output_file_finish(&file->output, file->reason);
}

void snapshot_file_close(struct snapshot_file *file)
{
    sqlite3_close_v2(file->database);
    if (file->is_written)
        output_file_discard(&file->output);
    file->database = NULL;
    file->is_written = false;
}
