/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the rows of one table.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_unknown(const struct snapshot_field *field, char *member)
{
    static const char *const no_text = "";
    static const double no_seconds = -1;
    if (field->type == SNAPSHOT_SIGNED32 || field->type == SNAPSHOT_SIGNED64)
        memset(member, 0xff, snapshot_type_bytes(field->type)); /* -1 */
    else if (field->type == SNAPSHOT_SECONDS)
        memcpy(member, &no_seconds, sizeof no_seconds);
    else if (field->type == SNAPSHOT_TEXT)
        memcpy(member, &no_text, sizeof no_text);
}

/* Where a field stands: in the row, or in `shared`, what it shares, of a table that has such. */
static char *member_of(const struct snapshot_field *field, void *row, void *shared)
{
    return (char *)(field->is_shared && shared != NULL ? shared : row) + field->offset;
}

/* A row in which everything is not known. */
static void make_blank(struct snapshot_rows *rows)
{
    const struct snapshot_table *table = rows->table;
    rows->blank = allocate(table->row_bytes);
    if (table->shared != NULL)
        rows->blank_shared = allocate(table->shared->bytes);
    for (size_t i = 0; i < table->field_count; i++) {
        const struct snapshot_field *field = &table->fields[i];
        set_unknown(field, member_of(field, rows->blank, rows->blank_shared));
    }
    if (table->set_unknown != NULL)
        table->set_unknown(rows->blank);
}

/* By number: fields of a table. */
struct columns {
    const struct snapshot_table *table;
    bool *are_among;
    const char **older_names;
};

/* NULL: files name it as its member. */
static const struct snapshot_renaming *find_renaming(const struct snapshot_table *table, const char *column)
{
    for (const struct snapshot_renaming *at = table->renamed; at != NULL && at->name != NULL; at++)
        if (strcmp(at->older, column) == 0)
            return at;
    return NULL;
}

static void note_column(void *context, const char *column)
{
    const struct columns *columns = context;
    const struct snapshot_renaming *renamed = find_renaming(columns->table, column);
    for (size_t i = 0; i < columns->table->field_count; i++)
        if (!columns->are_among[i] &&
            strcmp(columns->table->fields[i].name, renamed != NULL ? renamed->name : column) == 0) {
            columns->are_among[i] = true;
            columns->older_names[i] = renamed != NULL ? renamed->older : NULL;
            return;
        }
}

/* Those of the rows' table that the file has. */
static int choose_fields(struct snapshot_file *file, struct snapshot_rows *rows)
{
    const struct snapshot_table *table = rows->table;
    struct columns there = {table, allocate(table->field_count), rows->older_names};
    struct columns constant = {table, allocate(table->field_count), rows->older_names};
    int result = snapshot_file_for_each_column(file, table->name, note_column, &there);
    if (result == 0)
        result = snapshot_constant_columns_visit(file, table, note_column, &constant);
    for (size_t i = 0; i < table->field_count; i++)
        if (there.are_among[i] && !constant.are_among[i])
            rows->fields[rows->field_count++] = &table->fields[i];
        else if (there.are_among[i])
            rows->constants[rows->constant_count++] = &table->fields[i];
    free(there.are_among);
    free(constant.are_among);
    return result;
}

/* The SQL function that looks at a row; it accepts none. A function gets all values of a row at once, which takes half
 * the time of asking for the columns of a result one by one. */
#define LOOK "mpilens_look"

/* Qualified: a column that is missing is no text. */
static void write_column(FILE *stream, const struct snapshot_rows *rows, const char *column)
{
    fprintf(stream, "\"%s\".\"%s\"", rows->table->name, column);
}

static void write_field(FILE *stream, const struct snapshot_rows *rows, const struct snapshot_field *field)
{
    const char *older_name = rows->older_names[field - rows->table->fields];
    write_column(stream, rows, older_name != NULL ? older_name : field->name);
}

/* The caller frees it. */
static char *write_query(const struct snapshot_rows *rows)
{
    const struct snapshot_table *table = rows->table;
    char *query;
    FILE *stream = open_text(&query);
    fprintf(stream, "SELECT 1 FROM \"%s\" WHERE " LOOK "(", table->name);
    write_column(stream, rows, "row");
    if (table->parent != NULL) {
        fputs(", ", stream);
        write_column(stream, rows, table->parent->name);
    }
    for (size_t i = 0; i < rows->field_count; i++) {
        fputs(", ", stream);
        write_field(stream, rows, rows->fields[i]);
    }
    fputs(") ORDER BY ", stream);
    write_column(stream, rows, "row");
    fclose(stream);
    return query;
}

/* Queries the first row for the constant columns. The caller frees it. */
static char *write_query_of_constants(const struct snapshot_rows *rows)
{
    char *query;
    FILE *stream = open_text(&query);
    fputs("SELECT ", stream);
    for (size_t i = 0; i < rows->constant_count; i++) {
        fputs(i > 0 ? ", " : "", stream);
        write_field(stream, rows, rows->constants[i]);
    }
    fprintf(stream, " FROM \"%s\" ORDER BY \"%s\".\"row\" LIMIT 1", rows->table->name, rows->table->name);
    fclose(stream);
    return query;
}

bool snapshot_value_integer(sqlite3_value *value, int64_t least, int64_t most, int64_t *ret_number)
{
    if (sqlite3_value_type(value) != SQLITE_INTEGER)
        return false;
    const int64_t number = sqlite3_value_int64(value);
    if (number < least || number > most)
        return false;
    *ret_number = number;
    return true;
}

bool snapshot_column_integer(sqlite3_stmt *statement, int column, int64_t least, int64_t most, int64_t *ret_number)
{
    return snapshot_value_integer(sqlite3_column_value(statement, column), least, most, ret_number);
}

/* A table that is being read. */
struct reading {
    struct snapshot_file *file;
    struct snapshot_rows rows;
    snapshot_look *look;
    void *context;
    bool has_failed; /* and the file has the reason */
};

static int look_at_row(struct reading *reading)
{
    struct snapshot_rows *rows = &reading->rows;
    int64_t number;
    rows->number++;
    if (!snapshot_value_integer(rows->values[0], rows->number, rows->number, &number))
        return snapshot_file_damaged(reading->file, "rows are missing");
    return reading->look(reading->context, rows);
}

static void look(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct reading *reading = sqlite3_user_data(context);
    (void)count;
    reading->rows.values = values;
    if (!reading->has_failed && look_at_row(reading) != 0) {
        reading->has_failed = true;
        sqlite3_result_error(context, "damaged", -1);
    }
}

static int run_query(struct reading *reading, const char *query)
{
    struct snapshot_file *file = reading->file;
    sqlite3_stmt *statement = NULL;
    int code =
        sqlite3_create_function(file->database, LOOK, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, reading, look, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(file->database, query, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    const int result = reading->has_failed ? -1 : code == SQLITE_DONE ? 0 : snapshot_file_fail(file);
    sqlite3_finalize(statement);
    sqlite3_create_function(file->database, LOOK, -1, SQLITE_UTF8, NULL, NULL, NULL, NULL);
    return result;
}

static bool take_integer(sqlite3_value *value, const struct snapshot_field *field, char *member)
{
    int64_t number = 0;
    int32_t signed32;
    uint32_t unsigned32;
    bool boolean;
    switch (field->type) {
    case SNAPSHOT_BOOLEAN:
        if (!snapshot_value_integer(value, 0, 1, &number))
            return false;
        boolean = number != 0;
        memcpy(member, &boolean, sizeof boolean);
        return true;
    case SNAPSHOT_CHARACTER:
        if (!snapshot_value_integer(value, 1, UCHAR_MAX, &number))
            return false;
        *member = (char)(unsigned char)number;
        return true;
    case SNAPSHOT_SIGNED32:
        if (!snapshot_value_integer(value, INT32_MIN, field->most > 0 ? field->most : INT32_MAX, &number))
            return false;
        signed32 = (int32_t)number;
        memcpy(member, &signed32, sizeof signed32);
        return true;
    case SNAPSHOT_UNSIGNED32:
        if (!snapshot_value_integer(value, 0, field->most > 0 ? field->most : UINT32_MAX, &number))
            return false;
        unsigned32 = (uint32_t)number;
        memcpy(member, &unsigned32, sizeof unsigned32);
        return true;
    default:
        if (!snapshot_value_integer(value, INT64_MIN, INT64_MAX, &number))
            return false;
        memcpy(member, &number, sizeof number);
        return true;
    }
}

static bool take_seconds(sqlite3_value *value, char *member)
{
    const double seconds = sqlite3_value_double(value);
    if (sqlite3_value_type(value) != SQLITE_FLOAT || !isfinite(seconds) || seconds < 0)
        return false;
    memcpy(member, &seconds, sizeof seconds);
    return true;
}

static size_t count_of(const struct snapshot_reader *reader, enum snapshot_type type)
{
    return type == SNAPSHOT_SITE    ? reader->site_count
           : type == SNAPSHOT_GROUP ? reader->group_count
                                    : reader->text_count;
}

static bool take_reference(const struct snapshot_reader *reader, sqlite3_value *value, enum snapshot_type type,
                           char *member)
{
    int64_t number;
    const void *pointer;
    if (!snapshot_value_integer(value, 1, (int64_t)count_of(reader, type), &number))
        return false;
    if (type == SNAPSHOT_SITE)
        pointer = reader->sites[number - 1];
    else if (type == SNAPSHOT_GROUP)
        pointer = reader->groups[number - 1];
    else
        pointer = type == SNAPSHOT_OWN_TEXT ? copy_text(reader->texts[number - 1]) : reader->texts[number - 1];
    memcpy(member, &pointer, sizeof pointer);
    return true;
}

static bool take_bytes(sqlite3_value *value, char *member)
{
    const void *blob = sqlite3_value_blob(value);
    const int count = sqlite3_value_bytes(value);
    if (sqlite3_value_type(value) != SQLITE_BLOB || blob == NULL || count <= 0)
        return false;
    const struct snapshot_bytes bytes = {.bytes = allocate((size_t)count), .count = (size_t)count};
    memcpy(bytes.bytes, blob, bytes.count);
    memcpy(member, &bytes, sizeof bytes);
    return true;
}

/* `shared`: the row's shared struct. */
static bool take_field(const struct snapshot_reader *reader, sqlite3_value *value, const struct snapshot_field *field,
                       void *row, void *shared)
{
    char *member = member_of(field, row, shared);
    if (sqlite3_value_type(value) == SQLITE_NULL)
        return true; /* not known, as it is already */
    switch (field->type) {
    case SNAPSHOT_SECONDS:
        return take_seconds(value, member);
    case SNAPSHOT_BYTES:
        return take_bytes(value, member);
    case SNAPSHOT_TEXT:
    case SNAPSHOT_OWN_TEXT:
    case SNAPSHOT_SITE:
    case SNAPSHOT_GROUP:
        return take_reference(reader, value, field->type, member);
    default:
        return take_integer(value, field, member);
    }
}

/* Own texts become NULL, so that the row can be given back whatever comes. The job has more than its fields. */
static void set_blank(const struct snapshot_rows *rows, char *row)
{
    const struct snapshot_table *table = rows->table;
    if (table->parent != NULL) {
        memcpy(row, rows->blank, table->row_bytes);
        return;
    }
    for (size_t i = 0; i < table->field_count; i++) {
        const struct snapshot_field *field = &table->fields[i];
        memcpy(row + field->offset, (const char *)rows->blank + field->offset, snapshot_type_bytes(field->type));
    }
}

static int fail_at(struct snapshot_file *file, const struct snapshot_rows *rows, const struct snapshot_field *field)
{
    char how[128];
    snprintf(how, sizeof how, "%s of %s %lld makes no sense", field->name, rows->table->name, (long long)rows->number);
    return snapshot_file_damaged(file, how);
}

static void set_shared(const struct snapshot_reader *reader, const struct snapshot_table *table, char *row,
                       const void *shared)
{
    const void *pointer = table->shared->share(reader->job, shared);
    memcpy(row + table->shared->offset, &pointer, sizeof pointer);
}

int snapshot_rows_take(struct snapshot_reader *reader, const struct snapshot_rows *rows, void *ret_row)
{
    const size_t first = rows->table->parent != NULL ? 2 : 1;
    set_blank(rows, ret_row);
    reader->file->made_bytes += rows->table->row_bytes;
    if (reader->file->made_bytes > reader->file->most_made)
        return snapshot_file_damaged(reader->file, "it claims more than so few bytes can hold");
    if (rows->shared != NULL)
        memcpy(rows->shared, rows->blank_shared, rows->table->shared->bytes);
    for (size_t i = 0; i < rows->field_count; i++)
        if (!take_field(reader, rows->values[first + i], rows->fields[i], ret_row, rows->shared))
            return fail_at(reader->file, rows, rows->fields[i]);
    if (rows->shared != NULL)
        set_shared(reader, rows->table, ret_row, rows->shared);
    return 0;
}

/* Puts what all rows have into the blank one. Nobody else uses the connection meanwhile: values that SQLite calls
 * unprotected are as good as any. */
static int take_constants(const struct snapshot_reader *reader, struct snapshot_rows *rows)
{
    char *query = write_query_of_constants(rows);
    sqlite3_stmt *statement = NULL;
    int more = snapshot_file_prepare(reader->file, query, &statement);
    free(query);
    if (more == 0)
        more = snapshot_file_next(reader->file, statement);
    for (size_t i = 0; more == 1 && i < rows->constant_count; i++)
        if (snapshot_type_is_own(rows->constants[i]->type) ||
            !take_field(reader, sqlite3_column_value(statement, (int)i), rows->constants[i], rows->blank,
                        rows->blank_shared))
            more = fail_at(reader->file, rows, rows->constants[i]);
    sqlite3_finalize(statement);
    return more < 0 ? -1 : 0;
}

/* Prepares the common shared struct, and room for rows that differ. */
static void prepare_shared(const struct snapshot_reader *reader, struct snapshot_rows *rows)
{
    if (rows->table->shared == NULL)
        return;
    set_shared(reader, rows->table, rows->blank, rows->blank_shared);
    for (size_t i = 0; i < rows->field_count && rows->shared == NULL; i++)
        if (rows->fields[i]->is_shared)
            rows->shared = allocate(rows->table->shared->bytes);
}

int snapshot_rows_read(struct snapshot_reader *reader, const struct snapshot_table *table, snapshot_look *look,
                       void *context, int64_t *ret_count)
{
    struct reading reading = {.file = reader->file, .rows = {.table = table}, .look = look, .context = context};
    struct snapshot_rows *rows = &reading.rows;
    int result = 0;
    if (snapshot_file_has_table(reader->file, table->name)) {
        rows->fields = allocate(table->field_count * sizeof *rows->fields);
        rows->constants = allocate(table->field_count * sizeof *rows->constants);
        rows->older_names = allocate(table->field_count * sizeof *rows->older_names);
        make_blank(rows);
        result = choose_fields(reader->file, rows);
        if (result == 0 && rows->constant_count > 0)
            result = take_constants(reader, rows);
        prepare_shared(reader, rows);
        if (result == 0) {
            char *query = write_query(rows);
            result = run_query(&reading, query);
            free(query);
        }
        free(rows->fields);
        free(rows->constants);
        free(rows->older_names);
        free(rows->blank);
        free(rows->blank_shared);
        free(rows->shared);
    }
    *ret_count = rows->number;
    return result;
}
