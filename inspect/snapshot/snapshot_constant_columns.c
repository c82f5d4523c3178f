/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes and reads the table `constant_column`.
 */
#include "snapshot/snapshot_internal.h"

static const char name_of_table[] = "constant_column";

int snapshot_constant_columns_begin(struct snapshot_file *file)
{
    return snapshot_file_run(file,
                             "CREATE TABLE \"constant_column\" (\"table\" TEXT NOT NULL, \"column\" TEXT NOT NULL)");
}

int snapshot_constant_columns_write(struct snapshot_file *file, const struct snapshot_table *table, const bool *varies)
{
    sqlite3_stmt *insertion;
    int result = snapshot_file_prepare(file, "INSERT INTO \"constant_column\" VALUES (?, ?)", &insertion);
    if (result != 0)
        return result;
    sqlite3_bind_text(insertion, 1, table->name, -1, SQLITE_STATIC);
    for (size_t i = 0; i < table->field_count && result == 0; i++) {
        if (varies[i])
            continue;
        sqlite3_bind_text(insertion, 2, table->fields[i].name, -1, SQLITE_STATIC);
        result = snapshot_file_step(file, insertion);
    }
    sqlite3_finalize(insertion);
    return result;
}

int snapshot_constant_columns_visit(struct snapshot_file *file, const struct snapshot_table *table,
                                    void (*visit)(void *context, const char *column), void *context)
{
    sqlite3_stmt *statement;
    int more;
    if (!snapshot_file_has_table(file, name_of_table))
        return 0;
    if (snapshot_file_prepare(file, "SELECT \"column\" FROM \"constant_column\" WHERE \"table\" = ?1", &statement) != 0)
        return -1;
    sqlite3_bind_text(statement, 1, table->name, -1, SQLITE_STATIC);
    while ((more = snapshot_file_next(file, statement)) == 1) {
        const char *column = (const char *)sqlite3_column_text(statement, 0);
        if (column != NULL)
            visit(context, column);
    }
    sqlite3_finalize(statement);
    return more;
}
