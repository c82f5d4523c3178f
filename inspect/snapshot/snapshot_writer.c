/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the rows of a table.
 */
#include "snapshot/snapshot_writer.h"

#include "base/allocation.h"
#include "snapshot/snapshot_rows.h"
#include "snapshot/snapshot_write_references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_reference(enum snapshot_type type)
{
    return type == SNAPSHOT_TEXT || type == SNAPSHOT_OWN_TEXT || type == SNAPSHOT_SITE || type == SNAPSHOT_GROUP;
}

static const char *referred_table(enum snapshot_type type)
{
    return type == SNAPSHOT_SITE ? "site" : type == SNAPSHOT_GROUP ? "communicator_group" : "text";
}

static void write_definition(FILE *stream, const struct snapshot_table *table)
{
    fprintf(stream, "CREATE TABLE \"%s\" (\"row\" INTEGER PRIMARY KEY", table->name);
    if (table->parent != NULL)
        fprintf(stream, ", \"%s\" INTEGER NOT NULL REFERENCES \"%s\"", table->parent->name, table->parent->name);
    for (size_t i = 0; i < table->field_count; i++) {
        const struct snapshot_field *field = &table->fields[i];
        fprintf(stream, ", \"%s\" %s", field->name,
                field->type == SNAPSHOT_SECONDS ? "REAL"
                : field->type == SNAPSHOT_BYTES ? "BLOB"
                                                : "INTEGER");
        if (is_reference(field->type))
            fprintf(stream, " REFERENCES \"%s\"", referred_table(field->type));
    }
    fputs(");\n", stream);
}

/* The same with words in the place of references to texts and sites. */
static void write_view(FILE *stream, const struct snapshot_table *table)
{
    fprintf(stream, "CREATE VIEW \"readable_%s\" AS SELECT \"row\"", table->name);
    if (table->parent != NULL)
        fprintf(stream, ", \"%s\"", table->parent->name);
    for (size_t i = 0; i < table->field_count; i++) {
        const struct snapshot_field *field = &table->fields[i];
        if (field->type == SNAPSHOT_TEXT || field->type == SNAPSHOT_OWN_TEXT)
            fprintf(stream, ", (SELECT \"value\" FROM \"text\" WHERE \"text\".\"row\" = \"at\".\"%s\") AS \"%s\"",
                    field->name, field->name);
        else if (field->type == SNAPSHOT_SITE)
            fprintf(stream,
                    ", (SELECT coalesce(\"function\", \"module\") || coalesce(' at ' || \"file\" || ':' || \"line\", "
                    "'') FROM \"readable_site\" WHERE \"readable_site\".\"row\" = \"at\".\"%s\") AS \"%s\"",
                    field->name, field->name);
        else
            fprintf(stream, ", \"%s\"", field->name);
    }
    fprintf(stream, " FROM \"%s\" AS \"at\";\n", table->name);
}

static void write_insertion(FILE *stream, const struct snapshot_table *table)
{
    fprintf(stream, "INSERT INTO \"%s\" VALUES (?", table->name);
    for (size_t i = 0; i < table->field_count + (table->parent != NULL ? 1 : 0); i++)
        fputs(", ?", stream);
    fputs(")", stream);
}

/* What a writer above writes; the caller frees it. */
static char *text_of(const struct snapshot_table *table, void (*write)(FILE *, const struct snapshot_table *))
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return copy_text("");
    write(stream, table);
    fclose(stream);
    return text;
}

int snapshot_create_table(struct snapshot_file *file, const struct snapshot_table *table, sqlite3_stmt **ret_insertion)
{
    char *definition = text_of(table, write_definition);
    char *view = text_of(table, write_view);
    char *insertion = text_of(table, write_insertion);
    int result = snapshot_file_run(file, definition);
    if (result == 0)
        result = snapshot_file_run(file, view);
    if (result == 0)
        result = snapshot_file_prepare(file, insertion, ret_insertion);
    free(definition);
    free(view);
    free(insertion);
    return result;
}

void snapshot_bind_number(sqlite3_stmt *statement, int column, int64_t number)
{
    if (number != 0)
        sqlite3_bind_int64(statement, column, number);
    else
        sqlite3_bind_null(statement, column);
}

static void bind_signed(sqlite3_stmt *statement, int column, int64_t value)
{
    if (value != -1)
        sqlite3_bind_int64(statement, column, value);
    else
        sqlite3_bind_null(statement, column);
}

static int bind_reference(struct snapshot_writer *writer, sqlite3_stmt *statement, int column, enum snapshot_type type,
                          const void *pointer)
{
    int64_t number = 0;
    int result;
    if (type == SNAPSHOT_SITE)
        result = snapshot_writer_site(writer, pointer, &number);
    else if (type == SNAPSHOT_GROUP)
        result = snapshot_writer_group(writer, pointer, &number);
    else
        result = snapshot_writer_text(writer, pointer, &number);
    snapshot_bind_number(statement, column, number);
    return result;
}

static int bind_field(struct snapshot_writer *writer, sqlite3_stmt *statement, int column,
                      const struct snapshot_field *field, const char *row)
{
    union {
        bool boolean;
        char character;
        int32_t signed32;
        uint32_t unsigned32;
        int64_t signed64;
        uint64_t unsigned64;
        double seconds;
        struct snapshot_bytes bytes;
        const void *pointer;
    } value;
    const char *member = row + field->offset;
    switch (field->type) {
    case SNAPSHOT_BOOLEAN:
        memcpy(&value.boolean, member, sizeof value.boolean);
        sqlite3_bind_int64(statement, column, value.boolean);
        return 0;
    case SNAPSHOT_CHARACTER:
        memcpy(&value.character, member, sizeof value.character);
        snapshot_bind_number(statement, column, (unsigned char)value.character);
        return 0;
    case SNAPSHOT_SIGNED32:
        memcpy(&value.signed32, member, sizeof value.signed32);
        bind_signed(statement, column, value.signed32);
        return 0;
    case SNAPSHOT_UNSIGNED32:
        memcpy(&value.unsigned32, member, sizeof value.unsigned32);
        sqlite3_bind_int64(statement, column, value.unsigned32);
        return 0;
    case SNAPSHOT_SIGNED64:
        memcpy(&value.signed64, member, sizeof value.signed64);
        bind_signed(statement, column, value.signed64);
        return 0;
    case SNAPSHOT_UNSIGNED64:
        memcpy(&value.unsigned64, member, sizeof value.unsigned64);
        sqlite3_bind_int64(statement, column, (int64_t)value.unsigned64);
        return 0;
    case SNAPSHOT_SECONDS:
        memcpy(&value.seconds, member, sizeof value.seconds);
        if (value.seconds >= 0)
            sqlite3_bind_double(statement, column, value.seconds);
        else
            sqlite3_bind_null(statement, column);
        return 0;
    case SNAPSHOT_BYTES:
        memcpy(&value.bytes, member, sizeof value.bytes);
        sqlite3_bind_blob64(statement, column, value.bytes.bytes, value.bytes.count, SQLITE_STATIC);
        return 0;
    case SNAPSHOT_TEXT:
    case SNAPSHOT_OWN_TEXT:
    case SNAPSHOT_SITE:
    case SNAPSHOT_GROUP:
        break;
    }
    memcpy(&value.pointer, member, sizeof value.pointer);
    return bind_reference(writer, statement, column, field->type, value.pointer);
}

int snapshot_bind_row(struct snapshot_writer *writer, sqlite3_stmt *statement, int column,
                      const struct snapshot_table *table, const void *row)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < table->field_count; i++)
        result = bind_field(writer, statement, column + (int)i, &table->fields[i], row);
    return result;
}

struct insertion {
    struct snapshot_writer *writer;
    const struct snapshot_table *table;
    sqlite3_stmt *statement;
};

static int insert_row(void *context, void *row, int64_t number, int64_t parent_number)
{
    const struct insertion *insertion = context;
    int column = 1;
    sqlite3_bind_int64(insertion->statement, column++, number);
    if (insertion->table->parent != NULL)
        sqlite3_bind_int64(insertion->statement, column++, parent_number);
    const int result = snapshot_bind_row(insertion->writer, insertion->statement, column, insertion->table, row);
    return result == 0 ? snapshot_file_step(insertion->writer->file, insertion->statement) : result;
}

int snapshot_write_table(struct snapshot_writer *writer, struct job *job, const struct snapshot_table *table)
{
    struct insertion insertion = {.writer = writer, .table = table};
    int result = snapshot_create_table(writer->file, table, &insertion.statement);
    if (result == 0)
        result = snapshot_for_each_row(job, table, insert_row, &insertion);
    sqlite3_finalize(insertion.statement);
    return result;
}
