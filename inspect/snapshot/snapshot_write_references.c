/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the texts, places and groups that rows refer to.
 */
#include "snapshot/snapshot_write_references.h"

#include "base/allocation.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct numbered_text {
    const char *text; /* of the model, which outlives the writer */
    int64_t number;
};

static const char tables[] =
    "CREATE TABLE \"text\" (\"row\" INTEGER PRIMARY KEY, \"value\" TEXT NOT NULL);"
    "CREATE TABLE \"communicator_group\" (\"row\" INTEGER PRIMARY KEY, \"size\" INTEGER NOT NULL);"
    "CREATE TABLE \"group_range\" (\"row\" INTEGER PRIMARY KEY, \"communicator_group\" INTEGER NOT NULL REFERENCES "
    "\"communicator_group\", \"first\" INTEGER, \"stride\" INTEGER NOT NULL, \"count\" INTEGER NOT NULL);";

int snapshot_writer_begin(struct snapshot_writer *writer)
{
    struct snapshot_file *file = writer->file;
    if (snapshot_file_run(file, tables) != 0 ||
        snapshot_file_prepare(file, "INSERT INTO \"text\" VALUES (?, ?)", &writer->text_insertion) != 0 ||
        snapshot_file_prepare(file, "INSERT INTO \"communicator_group\" VALUES (?, ?)", &writer->group_insertion) !=
            0 ||
        snapshot_file_prepare(file, "INSERT INTO \"group_range\" VALUES (?, ?, ?, ?, ?)", &writer->range_insertion) !=
            0)
        return -1;
    return snapshot_create_table(file, &snapshot_site_table, &writer->site_insertion);
}

void snapshot_writer_clear(struct snapshot_writer *writer)
{
    sqlite3_finalize(writer->text_insertion);
    sqlite3_finalize(writer->site_insertion);
    sqlite3_finalize(writer->group_insertion);
    sqlite3_finalize(writer->range_insertion);
    pointer_numbers_clear(&writer->numbers);
    tdestroy(writer->texts, free);
    *writer = (struct snapshot_writer){.file = writer->file};
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(((const struct numbered_text *)left)->text, ((const struct numbered_text *)right)->text);
}

/* The number of a text that has not been met at this address before. */
static int number_text(struct snapshot_writer *writer, const char *text, int64_t *ret_number)
{
    struct numbered_text *made = allocate(sizeof *made);
    made->text = text;
    struct numbered_text **found = tsearch(made, &writer->texts, compare_texts);
    if (*found != made) {
        free(made);
        *ret_number = (*found)->number;
        return 0;
    }
    made->number = ++writer->text_count;
    sqlite3_bind_int64(writer->text_insertion, 1, made->number);
    sqlite3_bind_text(writer->text_insertion, 2, text, -1, SQLITE_STATIC);
    *ret_number = made->number;
    return snapshot_file_step(writer->file, writer->text_insertion);
}

int snapshot_writer_text(struct snapshot_writer *writer, const char *text, int64_t *ret_number)
{
    *ret_number = 0;
    if (text == NULL || text[0] == '\0')
        return 0;
    int64_t *number = pointer_numbers_find(&writer->numbers, text);
    if (*number == 0 && number_text(writer, text, number) != 0)
        return -1;
    *ret_number = *number;
    return 0;
}

int snapshot_writer_site(struct snapshot_writer *writer, const struct site *site, int64_t *ret_number)
{
    *ret_number = 0;
    if (site == NULL)
        return 0;
    const int64_t known = *pointer_numbers_find(&writer->numbers, site);
    if (known != 0) {
        *ret_number = known;
        return 0;
    }
    const int64_t number = ++writer->site_count;
    *pointer_numbers_find(&writer->numbers, site) = number;
    sqlite3_bind_int64(writer->site_insertion, 1, number);
    if (snapshot_bind_row(writer, writer->site_insertion, 2, &snapshot_site_table, site) != 0)
        return -1;
    *ret_number = number;
    return snapshot_file_step(writer->file, writer->site_insertion);
}

static int insert_ranges(struct snapshot_writer *writer, const struct group *group, int64_t number)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < group->range_count; i++) {
        const struct group_range *range = &group->ranges[i];
        sqlite3_stmt *insertion = writer->range_insertion;
        sqlite3_bind_int64(insertion, 1, ++writer->range_count);
        sqlite3_bind_int64(insertion, 2, number);
        if (range->first >= 0)
            sqlite3_bind_int64(insertion, 3, range->first);
        else
            sqlite3_bind_null(insertion, 3);
        sqlite3_bind_int64(insertion, 4, range->stride);
        sqlite3_bind_int64(insertion, 5, range->count);
        result = snapshot_file_step(writer->file, insertion);
    }
    return result;
}

int snapshot_writer_group(struct snapshot_writer *writer, const struct group *group, int64_t *ret_number)
{
    *ret_number = 0;
    if (group == NULL)
        return 0;
    int64_t *number = pointer_numbers_find(&writer->numbers, group);
    *ret_number = *number;
    if (*number != 0)
        return 0;
    *ret_number = *number = ++writer->group_count;
    sqlite3_bind_int64(writer->group_insertion, 1, *ret_number);
    sqlite3_bind_int64(writer->group_insertion, 2, group->size);
    if (snapshot_file_step(writer->file, writer->group_insertion) != 0)
        return -1;
    return insert_ranges(writer, group, *ret_number);
}
