/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a source file in a thread of its own, which is left behind if the file system does not answer.
 */
#include "source/source.h"

#include "base/base.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MOST_BYTES = 4 << 20, READ_BYTES = 1 << 16, MOST_SECONDS = 5 };

/* Has copies of all that the query has. */
struct reading {
    struct arena arena; /* of the query and the file; the thread's until it has ended */
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool has_ended, is_left;
    struct source_query query;
    struct source_file file;
};

/* Whether everybody may go into the directories above the file. */
static bool is_reachable(int file)
{
    char link[64], path[PATH_MAX];
    struct stat information;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t bytes = readlink(link, path, sizeof path - 1);
    if (bytes <= 0 || path[0] != '/')
        return false;
    path[bytes] = '\0';
    for (char *slash = strrchr(path, '/'); slash != path; slash = strrchr(path, '/')) {
        *slash = '\0';
        if (stat(path, &information) != 0 || (information.st_mode & S_IXOTH) == 0)
            return false;
    }
    return true;
}

/* Whether the process has the files that are here: in a container, the same number may mean another user. */
static bool sees_our_files(const struct source_query *query)
{
    char own[64], other[64],
        *path = format_text("%.*sns/mnt", (int)(strrchr(query->root, '/') + 1 - query->root), query->root);
    const ssize_t own_bytes = readlink("/proc/self/ns/mnt", own, sizeof own);
    const ssize_t other_bytes = readlink(path, other, sizeof other);
    free(path);
    return own_bytes > 0 && own_bytes == other_bytes && memcmp(own, other, (size_t)own_bytes) == 0;
}

/* The kernel decides about these when they are read, whatever their mode says. */
static bool is_of_kernel(int file)
{
    struct statfs system;
    return fstatfs(file, &system) != 0 || system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC ||
           system.f_type == DEBUGFS_MAGIC || system.f_type == TRACEFS_MAGIC;
}

static bool may_be_shown(const struct source_query *query, int file, const struct stat *information)
{
    if (!query->is_by_root)
        return true;
    if (is_of_kernel(file))
        return false;
    if (query->root != NULL && information->st_uid == query->user && sees_our_files(query))
        return true;
    return (information->st_mode & S_IROTH) != 0 && is_reachable(file);
}

static void read_text(int file, struct source_file *source)
{
    char *text = NULL;
    size_t room = 0;
    source->state = SOURCE_READ;
    while (source->bytes < MOST_BYTES) {
        if (source->bytes == room)
            text = arena_extend(text, &room, READ_BYTES, 1);
        const ssize_t count = pread(file, text + source->bytes, room - source->bytes, (off_t)source->bytes);
        if (count < 0) {
            source->state = SOURCE_UNREADABLE;
            source->error = errno;
        }
        if (count <= 0)
            break;
        source->bytes += (size_t)count;
    }
    source->text = text;
    source->is_cut = source->bytes == MOST_BYTES;
}

/* Whether it was read; else why not is noted of the first one that is there. `prefix` bytes of the path
 * are the root. */
static bool try_path(const struct source_query *query, const char *path, size_t prefix, struct source_file *source)
{
    struct stat information;
    const int file = regular_file_open(path), error = file < 0 ? errno : 0;
    struct source_file tried = {
        .state = SOURCE_UNREADABLE, .error = error, .path = path + prefix, .built = source->built};
    if (file >= 0 && fstat(file, &information) == 0) {
        tried.changed = information.st_mtim;
        tried.state = SOURCE_WITHHELD;
        if (may_be_shown(query, file, &information))
            read_text(file, &tried);
    }
    if (file >= 0)
        close(file);
    const bool is_there = error != ENOENT && error != ENOTDIR;
    if (tried.state != SOURCE_READ && (!is_there || source->state != SOURCE_MISSING))
        return false;
    *source = tried;
    return tried.state == SOURCE_READ;
}

/* "a/b/c.c", then "b/c.c" and "c.c" in the directory: it may be the root of a copy of any directory on the path. */
static bool try_directory(const struct source_query *query, const char *directory, struct source_file *source)
{
    for (const char *part = query->path; part != NULL; part = strchr(part, '/')) {
        part += strspn(part, "/");
        const bool leads_out = strncmp(part, "../", strlen("../")) == 0 || strstr(part, "/../") != NULL;
        if (!leads_out && *part != '\0' && try_path(query, arena_text("%s/%s", directory, part), 0, source))
            return true;
    }
    return false;
}

static void look_at_module(const struct source_query *query, struct source_file *source)
{
    struct stat information;
    const char *path = arena_text("%s%s", query->root != NULL ? query->root : "", query->module);
    if (stat(path, &information) == 0 || stat(query->module, &information) == 0)
        source->built = information.st_mtim;
}

static void find(const struct source_query *query, struct source_file *source)
{
    source->path = query->path;
    source->state = SOURCE_MISSING;
    if (query->module != NULL)
        look_at_module(query, source);
    /* Root sees the process's files where others do: from the path within a container, it could not tell who may read
     * the file. */
    if (query->root != NULL && !query->is_by_root && query->path[0] == '/' &&
        try_path(query, arena_text("%s%s", query->root, query->path), strlen(query->root), source))
        return;
    if (try_path(query, query->path, 0, source))
        return;
    for (size_t i = 0; i < query->directory_count && !source->is_of_directory; i++)
        source->is_of_directory = try_directory(query, query->directories[i], source);
}

static void destroy(struct reading *reading)
{
    arena_clear(&reading->arena);
    pthread_cond_destroy(&reading->ended);
    pthread_mutex_destroy(&reading->mutex);
    free(reading);
}

static void *read_apart(void *argument)
{
    struct reading *reading = argument;
    struct source_file file = {.state = SOURCE_MISSING};
    arena_use(&reading->arena);
    find(&reading->query, &file);
    pthread_mutex_lock(&reading->mutex);
    const bool is_left = reading->is_left;
    reading->file = file;
    reading->has_ended = true;
    pthread_cond_signal(&reading->ended);
    pthread_mutex_unlock(&reading->mutex);
    if (is_left)
        destroy(reading);
    return NULL;
}

static const char *copy_of(const char *text)
{
    return text != NULL ? arena_copy(text) : NULL;
}

static struct reading *make_reading(const struct source_query *query)
{
    struct reading *reading = allocate(sizeof *reading);
    struct arena *outer = arena_use(&reading->arena);
    const char **directories = arena_allocate((query->directory_count + 1) * sizeof *directories);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&reading->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&reading->mutex, NULL);
    for (size_t i = 0; i < query->directory_count; i++)
        directories[i] = arena_copy(query->directories[i]);
    reading->query = *query;
    reading->query.path = arena_copy(query->path);
    reading->query.root = copy_of(query->root);
    reading->query.module = copy_of(query->module);
    reading->query.directories = directories;
    arena_use(outer);
    return reading;
}

static bool start(struct reading *reading)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the caller's */
    const bool is_started = pthread_create(&thread, NULL, read_apart, reading) == 0;
    if (is_started)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

struct source_file source_file_read(const struct source_query *query)
{
    struct reading *reading = make_reading(query);
    struct source_file file = {.state = SOURCE_SILENT, .path = arena_copy(query->path)};
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += MOST_SECONDS;
    if (!start(reading)) {
        destroy(reading);
        return file;
    }
    pthread_mutex_lock(&reading->mutex);
    while (!reading->has_ended && error == 0)
        error = pthread_cond_timedwait(&reading->ended, &reading->mutex, &until);
    const bool has_ended = reading->has_ended;
    reading->is_left = !has_ended;
    if (has_ended) {
        file = reading->file;
        arena_join(&reading->arena);
    }
    pthread_mutex_unlock(&reading->mutex);
    if (has_ended)
        destroy(reading);
    return file;
}
