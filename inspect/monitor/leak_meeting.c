/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects the leaks of several ranks in one file: a line of fields between tabs for each.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "discover/discover.h"
#include "text/text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum field {
    FIELD_KIND,
    FIELD_RELEASED,
    FIELD_ADDRESS,
    FIELD_COUNT,
    FIELD_OLDEST_S,
    FIELD_RANK,
    FIELD_FUNCTION,
    FIELD_IS_KNOWN, /* those behind it */
    FIELD_MODULE,
    FIELD_IN,
    FIELD_FILE,
    FIELD_PATH,
    FIELD_LINE,
    FIELD_OFFSET,
    FIELD_COUNT_OF_ALL,
};

/* The file may be gone before it is locked; this happens rarely. */
enum { MOST_TRIES = 10 };

char *leak_meeting_path(void)
{
    char *world = name_local_world("/proc", getpid());
    if (world == NULL)
        return NULL;
    for (char *at = world; (at = strchr(at, '/')) != NULL;)
        *at = '_';
    const char *directory = getenv("XDG_RUNTIME_DIR");
    if (directory == NULL || access(directory, W_OK) != 0)
        directory = "/tmp";
    char *path = format_text("%s/mpilens-leaks-%lu-%s", directory, (unsigned long)geteuid(), world);
    free(world);
    return path;
}

/* Only a file that nobody else can read or write, and that is no other file of the user's. -1: there is none. */
static int open_file(const char *path)
{
    struct stat status;
    const int file = open(path, O_CREAT | O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return -1;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        (status.st_mode & (S_IRWXG | S_IRWXO)) == 0 && status.st_nlink <= 1)
        return file;
    close(file);
    return -1;
}

/* The only process left removes the file: then the descriptor is no longer the meeting's. */
static bool is_removed(int file)
{
    struct stat status;
    return fstat(file, &status) != 0 || status.st_nlink == 0;
}

bool leak_meeting_join(const char *path, struct leak_meeting *ret_meeting)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        const int file = open_file(path);
        if (file < 0)
            return false;
        if (flock(file, LOCK_SH) == 0 && !is_removed(file)) {
            *ret_meeting = (struct leak_meeting){.path = copy_text(path), .file = file};
            return true;
        }
        close(file);
    }
    return false;
}

/* Without tabs and line breaks. */
static void write_text(FILE *stream, const char *text)
{
    char *valid = valid_text(text != NULL ? text : "");
    fprintf(stream, "%s\t", valid);
    free(valid);
}

static void write_record(FILE *stream, const struct leak *leak, const struct leak_rank *rank)
{
    static const struct site unknown = {0};
    const struct site *site = leak->site != NULL ? leak->site : &unknown;
    fprintf(stream, "%" PRIu32 "\t%d\t%" PRIu64 "\t%" PRIu64 "\t%.9g\t%d\t", leak->kind, leak->is_released,
            leak->site_address, (uint64_t)rank->count, leak->oldest_s, rank->rank);
    write_text(stream, leak->function);
    fprintf(stream, "%d\t", leak->site != NULL);
    write_text(stream, site->module);
    write_text(stream, site->function);
    write_text(stream, site->file);
    write_text(stream, site->path);
    fprintf(stream, "%d\t%" PRIu64 "\n", site->line, (uint64_t)site->offset);
}

int leak_meeting_add(const struct leak_meeting *meeting, const struct leaks *leaks)
{
    char *text;
    FILE *stream = open_text(&text);
    for (size_t i = 0; i < leaks->count; i++)
        for (size_t j = 0; j < leaks->items[i]->rank_count; j++)
            write_record(stream, leaks->items[i], &leaks->items[i]->ranks[j]);
    fclose(stream);
    const size_t bytes = strlen(text);
    const int result = write(meeting->file, text, bytes) == (ssize_t)bytes ? 0 : -1;
    free(text);
    return result;
}

/* Cuts the line into its fields. */
static bool read_fields(char *line, char *ret_fields[FIELD_COUNT_OF_ALL])
{
    size_t count = 0;
    char *rest = line;
    if (strsep(&rest, "\n") == NULL || rest == NULL)
        return false;
    for (char *field = strsep(&line, "\t"); field != NULL; field = strsep(&line, "\t")) {
        if (count == FIELD_COUNT_OF_ALL)
            return false;
        ret_fields[count++] = field;
    }
    return count == FIELD_COUNT_OF_ALL;
}

static uint64_t number_of(const char *field)
{
    return strtoull(field, NULL, 10);
}

static const char *copy_field(const char *field)
{
    return field[0] != '\0' ? arena_copy(field) : NULL;
}

static void add_record(struct leak_records *records, char *const *fields)
{
    records->items = arena_append(records->items, &records->count, sizeof *records->items);
    struct leak *leak = &records->items[records->count - 1];
    *leak = (struct leak){.kind = (uint32_t)number_of(fields[FIELD_KIND]),
                          .is_released = number_of(fields[FIELD_RELEASED]) != 0,
                          .function = arena_copy(fields[FIELD_FUNCTION]),
                          .site_address = number_of(fields[FIELD_ADDRESS]),
                          .count = number_of(fields[FIELD_COUNT]),
                          .oldest_s = strtod(fields[FIELD_OLDEST_S], NULL),
                          .ranks = arena_allocate(sizeof *leak->ranks),
                          .rank_count = 1};
    leak->ranks[0] =
        (struct leak_rank){.rank = (int)number_of(fields[FIELD_RANK]), .has_finalized = true, .count = leak->count};
    if (number_of(fields[FIELD_IS_KNOWN]) == 0)
        return;
    struct site *site = arena_allocate(sizeof *site);
    *site = (struct site){.module = copy_field(fields[FIELD_MODULE]),
                          .function = copy_field(fields[FIELD_IN]),
                          .file = copy_field(fields[FIELD_FILE]),
                          .path = copy_field(fields[FIELD_PATH]),
                          .line = (int)number_of(fields[FIELD_LINE]),
                          .offset = number_of(fields[FIELD_OFFSET])};
    leak->site = site;
}

/* Unreadable records were not written whole, and were told otherwise. */
static void read_records(int file, struct leak_records *ret_records)
{
    struct leak_records records = {.count = 0};
    char *line = NULL, *fields[FIELD_COUNT_OF_ALL];
    size_t bytes = 0;
    FILE *stream = lseek(file, 0, SEEK_SET) == 0 ? fdopen(dup(file), "r") : NULL;
    while (stream != NULL && getline(&line, &bytes, stream) > 0)
        if (read_fields(line, fields))
            add_record(&records, fields);
    if (stream != NULL)
        fclose(stream);
    free(line);
    *ret_records = records;
}

/* The shared lock is given up whether it becomes an exclusive one or not; of those that leave at the same time only one
 * gets that. */
bool leak_meeting_leave(struct leak_meeting *meeting, struct leak_records *ret_records)
{
    const bool is_last = flock(meeting->file, LOCK_EX | LOCK_NB) == 0;
    if (is_last) {
        unlink(meeting->path);
        read_records(meeting->file, ret_records);
    }
    close(meeting->file);
    free(meeting->path);
    *meeting = (struct leak_meeting){.file = -1};
    return is_last;
}
