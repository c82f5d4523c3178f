/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the texts, places and groups that rows refer to.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <stdlib.h>

/* Members of a group; more than the processes of any machine, and no danger to this one. */
enum { MOST_MEMBERS = 1 << 24 };

static int read_texts(struct snapshot_reader *reader)
{
    struct snapshot_file *file = reader->file;
    sqlite3_stmt *statement;
    int more;
    if (!snapshot_file_has_table(file, "text"))
        return 0;
    if (snapshot_file_prepare(file, "SELECT \"row\", \"value\" FROM \"text\" ORDER BY \"row\"", &statement) != 0)
        return -1;
    while ((more = snapshot_file_next(file, statement)) == 1) {
        int64_t number;
        const int64_t expected = (int64_t)reader->text_count + 1;
        const char *text = (const char *)sqlite3_column_text(statement, 1);
        if (text == NULL || !snapshot_column_integer(statement, 0, expected, expected, &number)) {
            more = snapshot_file_damaged(file, "texts are missing");
            break;
        }
        reader->texts = array_append(reader->texts, &reader->text_count, sizeof(char *));
        reader->texts[reader->text_count - 1] = text_pool_add(&reader->job->names, text);
    }
    sqlite3_finalize(statement);
    return more;
}

static const char *known_or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static int read_site(void *context, const struct snapshot_rows *rows)
{
    struct snapshot_reader *reader = context;
    struct site site = {0};
    if (snapshot_rows_take(reader, rows, &site) != 0)
        return -1;
    site.function = known_or_null(site.function);
    site.file = known_or_null(site.file);
    site.path = known_or_null(site.path);
    site.called = known_or_null(site.called);
    site.hint = known_or_null(site.hint);
    reader->sites = array_append(reader->sites, &reader->site_count, sizeof(struct site *));
    reader->sites[reader->site_count - 1] = site_cache_add(&reader->job->sites, &site);
    return 0;
}

static int read_sites(struct snapshot_reader *reader)
{
    int64_t count;
    return snapshot_rows_read(reader, &snapshot_site_table, read_site, reader, &count);
}

/* The ranges of groups in the order of rows, grouped. */
struct group_reading {
    struct mpilens_rank_range *ranges; /* of the group that is being read */
    size_t count;
    int64_t members;
    bool has_begun;
};

static int finish_group(struct snapshot_reader *reader, struct group_reading *reading)
{
    const struct group *group = group_pool_add_ranges(&reader->job->groups, reading->ranges, reading->count);
    free(reading->ranges);
    *reading = (struct group_reading){0};
    if (group == NULL)
        return snapshot_file_damaged(reader->file, "a group makes no sense");
    reader->groups = array_append(reader->groups, &reader->group_count, sizeof(struct group *));
    reader->groups[reader->group_count - 1] = group;
    return 0;
}

/* NULL in `first` is not known. */
static bool take_range(sqlite3_stmt *statement, struct mpilens_rank_range *ret_range)
{
    int64_t first = -1, stride, count;
    if ((sqlite3_column_type(statement, 1) != SQLITE_NULL &&
         !snapshot_column_integer(statement, 1, 0, INT32_MAX, &first)) ||
        !snapshot_column_integer(statement, 2, INT32_MIN, INT32_MAX, &stride) ||
        !snapshot_column_integer(statement, 3, 1, MOST_MEMBERS, &count))
        return false;
    *ret_range =
        (struct mpilens_rank_range){.first = (int32_t)first, .stride = (int32_t)stride, .count = (int32_t)count};
    return true;
}

/* A row is the number of a group and one of its ranges; NULL: it has none. */
static int read_group_row(struct snapshot_reader *reader, sqlite3_stmt *statement, struct group_reading *reading)
{
    int64_t number;
    const int64_t next = (int64_t)reader->group_count + 1;
    if (!snapshot_column_integer(statement, 0, next, reading->has_begun ? next + 1 : next, &number))
        return snapshot_file_damaged(reader->file, "groups are missing");
    if (number > next && finish_group(reader, reading) != 0)
        return -1;
    reading->has_begun = true;
    if (sqlite3_column_type(statement, 3) == SQLITE_NULL)
        return 0;
    reading->ranges = array_append(reading->ranges, &reading->count, sizeof *reading->ranges);
    struct mpilens_rank_range *range = &reading->ranges[reading->count - 1];
    if (!take_range(statement, range) || (reading->members += range->count) > MOST_MEMBERS)
        return snapshot_file_damaged(reader->file, "a group makes no sense");
    return 0;
}

static int read_groups(struct snapshot_reader *reader)
{
    static const char query[] =
        "SELECT \"communicator_group\".\"row\", \"group_range\".\"first\", \"group_range\".\"stride\", "
        "\"group_range\".\"count\" FROM \"communicator_group\" LEFT JOIN \"group_range\" ON "
        "\"group_range\".\"communicator_group\" = \"communicator_group\".\"row\" ORDER BY 1, \"group_range\".\"row\"";
    struct snapshot_file *file = reader->file;
    struct group_reading reading = {0};
    sqlite3_stmt *statement;
    int more;
    if (!snapshot_file_has_table(file, "communicator_group") || !snapshot_file_has_table(file, "group_range"))
        return 0;
    if (snapshot_file_prepare(file, query, &statement) != 0)
        return -1;
    while ((more = snapshot_file_next(file, statement)) == 1)
        if (read_group_row(reader, statement, &reading) != 0) {
            more = -1;
            break;
        }
    if (more == 0 && reading.has_begun)
        more = finish_group(reader, &reading);
    free(reading.ranges);
    sqlite3_finalize(statement);
    return more;
}

int snapshot_reader_begin(struct snapshot_reader *reader)
{
    if (read_texts(reader) == 0 && read_sites(reader) == 0 && read_groups(reader) == 0)
        return 0;
    snapshot_reader_clear(reader);
    return -1;
}

void snapshot_reader_clear(struct snapshot_reader *reader)
{
    free(reader->texts);
    free(reader->sites);
    free(reader->groups);
    reader->texts = NULL;
    reader->sites = NULL;
    reader->groups = NULL;
}
