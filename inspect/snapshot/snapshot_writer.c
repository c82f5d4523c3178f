/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the rows of a table, and the places that they refer to.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

int snapshot_writer_begin(struct snapshot_writer *writer)
{
    int result = snapshot_references_begin(&writer->references, writer->file);
    if (result == 0 && !writer->file->is_light)
        result = snapshot_constant_columns_begin(writer->file);
    return result == 0 ? snapshot_create_table(writer->file, &snapshot_site_table, &writer->site_insertion) : result;
}

void snapshot_writer_clear(struct snapshot_writer *writer)
{
    snapshot_references_clear(&writer->references);
    sqlite3_finalize(writer->site_insertion);
    *writer = (struct snapshot_writer){.file = writer->file};
}

static void bind_number(sqlite3_stmt *statement, int column, int64_t number, int64_t not_known)
{
    if (number != not_known)
        sqlite3_bind_int64(statement, column, number);
    else
        sqlite3_bind_null(statement, column);
}

static int number_site(struct snapshot_writer *writer, const struct site *site, int64_t *ret_number)
{
    *ret_number = 0;
    if (site == NULL)
        return 0;
    const int64_t known = *pointer_numbers_find(&writer->references.numbers, site);
    if (known != 0) {
        *ret_number = known;
        return 0;
    }
    const int64_t number = ++writer->site_count;
    *pointer_numbers_find(&writer->references.numbers, site) = number;
    sqlite3_bind_int64(writer->site_insertion, 1, number);
    if (snapshot_bind_row(writer, writer->site_insertion, 2, &snapshot_site_table, site) != 0)
        return -1;
    *ret_number = number;
    return snapshot_file_step(writer->file, writer->site_insertion);
}

static int bind_reference(struct snapshot_writer *writer, sqlite3_stmt *statement, int column, enum snapshot_type type,
                          const void *member)
{
    const void *pointer;
    int64_t number = 0;
    int result;
    memcpy(&pointer, member, sizeof pointer);
    if (type == SNAPSHOT_SITE)
        result = number_site(writer, pointer, &number);
    else if (type == SNAPSHOT_GROUP)
        result = snapshot_references_group(&writer->references, pointer, &number);
    else
        result = snapshot_references_text(&writer->references, pointer, &number);
    bind_number(statement, column, number, 0);
    return result;
}

static void bind_seconds(sqlite3_stmt *statement, int column, double seconds)
{
    if (seconds >= 0)
        sqlite3_bind_double(statement, column, seconds);
    else
        sqlite3_bind_null(statement, column);
}

static int bind_field(struct snapshot_writer *writer, sqlite3_stmt *statement, int column,
                      const struct snapshot_table *table, const struct snapshot_field *field, const void *row)
{
    const void *member = snapshot_member(table, field, row);
    const struct snapshot_bytes *bytes;
    switch (field->type) {
    case SNAPSHOT_BOOLEAN:
        sqlite3_bind_int64(statement, column, *(const bool *)member);
        break;
    case SNAPSHOT_CHARACTER:
        bind_number(statement, column, *(const unsigned char *)member, 0);
        break;
    case SNAPSHOT_SIGNED32:
        bind_number(statement, column, *(const int32_t *)member, -1);
        break;
    case SNAPSHOT_UNSIGNED32:
        sqlite3_bind_int64(statement, column, *(const uint32_t *)member);
        break;
    case SNAPSHOT_SIGNED64:
        bind_number(statement, column, *(const int64_t *)member, -1);
        break;
    case SNAPSHOT_UNSIGNED64:
        sqlite3_bind_int64(statement, column, *(const int64_t *)member);
        break;
    case SNAPSHOT_SECONDS:
        bind_seconds(statement, column, *(const double *)member);
        break;
    case SNAPSHOT_BYTES:
        bytes = member;
        sqlite3_bind_blob64(statement, column, bytes->bytes, bytes->count, SQLITE_STATIC);
        break;
    case SNAPSHOT_TEXT:
    case SNAPSHOT_OWN_TEXT:
    case SNAPSHOT_SITE:
    case SNAPSHOT_GROUP:
        return bind_reference(writer, statement, column, field->type, member);
    }
    return 0;
}

int snapshot_bind_row(struct snapshot_writer *writer, sqlite3_stmt *statement, int column,
                      const struct snapshot_table *table, const void *row)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < table->field_count; i++)
        result = bind_field(writer, statement, column + (int)i, table, &table->fields[i], row);
    return result;
}

/* Rows of a table as they come. A statement keeps what is bound, so what is the same in the next row is not bound
 * again.
 */
struct insertion {
    struct snapshot_writer *writer;
    const struct snapshot_table *table;
    sqlite3_stmt *statement;
    const char *last_row; /* NULL: there was none */
    bool *varies;         /* by field: not the same in all rows */
    int64_t count;
};

static bool is_same_member(const struct snapshot_table *table, const struct snapshot_field *field, const char *left,
                           const char *right)
{
    return memcmp(snapshot_member(table, field, left), snapshot_member(table, field, right),
                  snapshot_type_bytes(field->type)) == 0;
}

static int bind_changes(struct insertion *insertion, int column, const char *row)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < insertion->table->field_count; i++) {
        const struct snapshot_field *field = &insertion->table->fields[i];
        if (insertion->last_row != NULL && is_same_member(insertion->table, field, insertion->last_row, row))
            continue;
        insertion->varies[i] = insertion->varies[i] || insertion->last_row != NULL;
        result = bind_field(insertion->writer, insertion->statement, column + (int)i, insertion->table, field, row);
    }
    insertion->last_row = row;
    insertion->count++;
    return result;
}

static int insert_row(void *context, void *row, int64_t number, int64_t parent_number)
{
    struct insertion *insertion = context;
    int column = 1;
    sqlite3_bind_int64(insertion->statement, column++, number);
    if (insertion->table->parent != NULL)
        sqlite3_bind_int64(insertion->statement, column++, parent_number);
    const int result = bind_changes(insertion, column, row);
    return result == 0 ? snapshot_file_step(insertion->writer->file, insertion->statement) : result;
}

static int write_constant_columns(const struct insertion *insertion)
{
    for (size_t i = 0; i < insertion->table->field_count; i++)
        insertion->varies[i] = insertion->varies[i] || snapshot_type_is_own(insertion->table->fields[i].type);
    return insertion->count > 1
               ? snapshot_constant_columns_write(insertion->writer->file, insertion->table, insertion->varies)
               : 0;
}

static int find_row(void *context, void *row, int64_t number, int64_t parent_number)
{
    (void)context;
    (void)row;
    (void)number;
    (void)parent_number;
    return 1;
}

int snapshot_write_table(struct snapshot_writer *writer, struct job *job, const struct snapshot_table *table)
{
    if (writer->file->is_light && snapshot_for_each_row(job, table, find_row, NULL) == 0)
        return 0;
    struct insertion insertion = {
        .writer = writer, .table = table, .varies = allocate(table->field_count * sizeof(bool))};
    int result = snapshot_create_table(writer->file, table, &insertion.statement);
    if (result == 0)
        result = snapshot_for_each_row(job, table, insert_row, &insertion);
    if (result == 0 && !writer->file->is_light)
        result = write_constant_columns(&insertion);
    sqlite3_finalize(insertion.statement);
    free(insertion.varies);
    return result;
}
