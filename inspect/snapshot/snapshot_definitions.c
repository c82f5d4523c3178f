/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the SQL that makes a table and its readable view, and that inserts rows.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

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

/* A view of the table, with words instead of references to texts and sites. */
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

/* The text of a writer above; the caller frees it. */
static char *text_of(const struct snapshot_table *table, void (*write)(FILE *, const struct snapshot_table *))
{
    char *text;
    FILE *stream = open_text(&text);
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
    if (result == 0 && !file->is_light)
        result = snapshot_file_run(file, view);
    if (result == 0)
        result = snapshot_file_prepare(file, insertion, ret_insertion);
    free(definition);
    free(view);
    free(insertion);
    return result;
}
