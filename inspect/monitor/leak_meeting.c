/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects the leaks of several ranks in one file: a line of JSON for each.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "discover/discover.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

static json_t *make_record(const struct leak *leak, const struct leak_rank *rank)
{
    static const struct site unknown = {0};
    const struct site *site = leak->site != NULL ? leak->site : &unknown;
    return json_pack("{s:i, s:b, s:s, s:I, s:I, s:f, s:i, s:b, s:s?, s:s?, s:s?, s:s?, s:i, s:I}", "kind",
                     (int)leak->kind, "released", (int)leak->is_released, "function", leak->function, "address",
                     (json_int_t)leak->site_address, "count", (json_int_t)rank->count, "oldest_s", leak->oldest_s,
                     "rank", rank->rank, "known", leak->site != NULL, "module", site->module, "in", site->function,
                     "file", site->file, "path", site->path, "line", site->line, "offset", (json_int_t)site->offset);
}

int leak_meeting_add(const struct leak_meeting *meeting, const struct leaks *leaks)
{
    char *text;
    FILE *stream = open_text(&text);
    int result = 0;
    for (size_t i = 0; i < leaks->count; i++)
        for (size_t j = 0; j < leaks->items[i]->rank_count && result == 0; j++) {
            json_t *record = make_record(leaks->items[i], &leaks->items[i]->ranks[j]);
            result = record != NULL ? json_dumpf(record, stream, JSON_COMPACT) : -1;
            fputc('\n', stream);
            json_decref(record);
        }
    fclose(stream);
    const size_t bytes = strlen(text);
    if (result == 0 && write(meeting->file, text, bytes) != (ssize_t)bytes)
        result = -1;
    free(text);
    return result;
}

static char *copy_member(const json_t *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record, name));
    return text != NULL ? copy_text(text) : NULL;
}

static json_int_t integer_member(const json_t *record, const char *name)
{
    return json_integer_value(json_object_get(record, name));
}

static void add_record(struct leak_records *records, const json_t *record)
{
    records->items = array_append(records->items, &records->count, sizeof *records->items);
    struct leak *leak = &records->items[records->count - 1];
    char *function = copy_member(record, "function");
    *leak = (struct leak){.kind = (uint32_t)integer_member(record, "kind"),
                          .is_released = json_is_true(json_object_get(record, "released")),
                          .function = function != NULL ? function : copy_text(""),
                          .site_address = (uint64_t)integer_member(record, "address"),
                          .count = (uint64_t)integer_member(record, "count"),
                          .oldest_s = json_real_value(json_object_get(record, "oldest_s")),
                          .ranks = allocate(sizeof *leak->ranks),
                          .rank_count = 1};
    leak->ranks[0] =
        (struct leak_rank){.rank = (int)integer_member(record, "rank"), .has_finalized = true, .count = leak->count};
    if (!json_is_true(json_object_get(record, "known")))
        return;
    struct site *site = allocate(sizeof *site);
    *site = (struct site){.module = copy_member(record, "module"),
                          .function = copy_member(record, "in"),
                          .file = copy_member(record, "file"),
                          .path = copy_member(record, "path"),
                          .line = (int)integer_member(record, "line"),
                          .offset = (uint64_t)integer_member(record, "offset")};
    leak->site = site;
}

/* Unreadable records were not written whole, and were told otherwise. */
static void read_records(int file, struct leak_records *ret_records)
{
    struct leak_records records = {.count = 0};
    char *line = NULL;
    size_t bytes = 0;
    FILE *stream = lseek(file, 0, SEEK_SET) == 0 ? fdopen(dup(file), "r") : NULL;
    while (stream != NULL && getline(&line, &bytes, stream) > 0) {
        json_t *record = json_loads(line, 0, NULL);
        if (json_is_object(record))
            add_record(&records, record);
        json_decref(record);
    }
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

void leak_records_clear(struct leak_records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        struct leak *leak = &records->items[i];
        if (leak->site != NULL) {
            free((char *)leak->site->module);
            free((char *)leak->site->function);
            free((char *)leak->site->file);
            free((char *)leak->site->path);
            free((struct site *)leak->site);
        }
        free((char *)leak->function);
        free(leak->ranks);
    }
    free(records->items);
    *records = (struct leak_records){.count = 0};
}
