/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the texts and groups that rows refer to.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct numbered_text {
    const char *text; /* of the model, which outlives this */
    int64_t number;
};

static const char tables[] =
    "CREATE TABLE \"text\" (\"row\" INTEGER PRIMARY KEY, \"value\" TEXT NOT NULL);"
    "CREATE TABLE \"communicator_group\" (\"row\" INTEGER PRIMARY KEY, \"size\" INTEGER NOT NULL);"
    "CREATE TABLE \"group_range\" (\"row\" INTEGER PRIMARY KEY, \"communicator_group\" INTEGER NOT NULL REFERENCES "
    "\"communicator_group\", \"first\" INTEGER, \"stride\" INTEGER NOT NULL, \"count\" INTEGER NOT NULL);";

int snapshot_references_begin(struct snapshot_references *references, struct snapshot_file *file)
{
    references->file = file;
    if (snapshot_file_run(file, tables) != 0 ||
        snapshot_file_prepare(file, "INSERT INTO \"text\" VALUES (?, ?)", &references->text_insertion) != 0 ||
        snapshot_file_prepare(file, "INSERT INTO \"communicator_group\" VALUES (?, ?)", &references->group_insertion) !=
            0)
        return -1;
    return snapshot_file_prepare(file, "INSERT INTO \"group_range\" VALUES (?, ?, ?, ?, ?)",
                                 &references->range_insertion);
}

void snapshot_references_clear(struct snapshot_references *references)
{
    sqlite3_finalize(references->text_insertion);
    sqlite3_finalize(references->group_insertion);
    sqlite3_finalize(references->range_insertion);
    pointer_numbers_clear(&references->numbers);
    tdestroy(references->texts, free);
    *references = (struct snapshot_references){.file = references->file};
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(((const struct numbered_text *)left)->text, ((const struct numbered_text *)right)->text);
}

/* The number of a text that has not been met at this address before. */
static int number_text(struct snapshot_references *references, const char *text, int64_t *ret_number)
{
    struct numbered_text *made = allocate(sizeof *made);
    made->text = text;
    struct numbered_text **found = tsearch(made, &references->texts, compare_texts);
    if (*found != made) {
        free(made);
        *ret_number = (*found)->number;
        return 0;
    }
    made->number = ++references->text_count;
    sqlite3_bind_int64(references->text_insertion, 1, made->number);
    sqlite3_bind_text(references->text_insertion, 2, text, -1, SQLITE_STATIC);
    *ret_number = made->number;
    return snapshot_file_step(references->file, references->text_insertion);
}

int snapshot_references_text(struct snapshot_references *references, const char *text, int64_t *ret_number)
{
    *ret_number = 0;
    if (text == NULL || text[0] == '\0')
        return 0;
    int64_t *number = pointer_numbers_find(&references->numbers, text);
    if (*number == 0 && number_text(references, text, number) != 0)
        return -1;
    *ret_number = *number;
    return 0;
}

static int insert_ranges(struct snapshot_references *references, const struct group *group, int64_t number)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < group->range_count; i++) {
        const struct group_range *range = &group->ranges[i];
        sqlite3_stmt *insertion = references->range_insertion;
        sqlite3_bind_int64(insertion, 1, ++references->range_count);
        sqlite3_bind_int64(insertion, 2, number);
        if (range->first >= 0)
            sqlite3_bind_int64(insertion, 3, range->first);
        else
            sqlite3_bind_null(insertion, 3);
        sqlite3_bind_int64(insertion, 4, range->stride);
        sqlite3_bind_int64(insertion, 5, range->count);
        result = snapshot_file_step(references->file, insertion);
    }
    return result;
}

int snapshot_references_group(struct snapshot_references *references, const struct group *group, int64_t *ret_number)
{
    *ret_number = 0;
    if (group == NULL)
        return 0;
    int64_t *number = pointer_numbers_find(&references->numbers, group);
    *ret_number = *number;
    if (*number != 0)
        return 0;
    *ret_number = *number = ++references->group_count;
    sqlite3_bind_int64(references->group_insertion, 1, *ret_number);
    sqlite3_bind_int64(references->group_insertion, 2, group->size);
    if (snapshot_file_step(references->file, references->group_insertion) != 0)
        return -1;
    return insert_ranges(references, group, *ret_number);
}
