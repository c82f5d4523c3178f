/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a file through one descriptor.
 */
#include "file/file.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names are random: an attacker who fills the directory with them gains a refusal. */
enum { MOST_TRIES = 100 };

static const struct output_file closed = {.directory = -1, .descriptor = -1};

int output_file_fail(const struct output_file *file, int error, struct reason *ret_reason)
{
    return reason_set(ret_reason, "%s: cannot be written: %s", file->path, strerror(error));
}

/* Hidden, beside those that it is no result yet. */
static char *random_name(const char *name)
{
    enum { LONGEST_PART = 200 };
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
        number = (uint64_t)getpid();
    return format_text(".%.*s.%016llx", LONGEST_PART, name, (unsigned long long)number);
}

/* Calls `make` with names until one is not there yet. The name, to be freed; NULL and errno. */
static char *make_temporary(const struct output_file *file, bool (*make)(void *context, const char *name),
                            void *context)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        char *name = random_name(file->name);
        if (make(context, name))
            return name;
        const int error = errno;
        free(name);
        errno = error;
        if (error != EEXIST)
            return NULL;
    }
    return NULL;
}

static bool make_named(void *context, const char *name)
{
    struct output_file *file = context;
    file->descriptor =
        openat(file->directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, OUTPUT_MODE_PRIVATE);
    return file->descriptor >= 0;
}

/* Some file systems have no files without a name. */
static bool lacks_unnamed(int error)
{
    return error == EOPNOTSUPP || error == EISDIR || error == ENOENT || error == EINVAL;
}

static int open_unnamed(int directory)
{
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, OUTPUT_MODE_PRIVATE);
}

static bool make_file(struct output_file *file, mode_t mode)
{
    file->descriptor = open_unnamed(file->directory);
    if (file->descriptor < 0 && lacks_unnamed(errno))
        file->temporary = make_temporary(file, make_named, file);
    if (file->descriptor < 0)
        return false;
    if (mode == OUTPUT_MODE_OF_UMASK) {
        const mode_t mask = umask(0);
        umask(mask);
        mode = 0666 & ~mask;
    }
    return mode == OUTPUT_MODE_PRIVATE || fchmod(file->descriptor, mode) == 0;
}

/* Checks the file to be replaced. */
static int check_old(const struct output_file *file, struct reason *ret_reason)
{
    struct stat status;
    if (fstatat(file->directory, file->name, &status, AT_SYMLINK_NOFOLLOW) != 0 || S_ISREG(status.st_mode))
        return 0;
    return reason_set(ret_reason, "%s is there and is not a file: name another one", file->path);
}

int output_file_create(const char *path, mode_t mode, struct output_file *ret_file, struct reason *ret_reason)
{
    struct output_file file = closed;
    file.path = path;
    if (output_directory_open(path, &file.directory, &file.name, ret_reason) != 0)
        return -1;
    int result = check_old(&file, ret_reason);
    if (result == 0 && !make_file(&file, mode))
        result = reason_set(ret_reason, "%s: cannot be created: %s", path, strerror(errno));
    if (result == 0)
        *ret_file = file;
    else
        output_file_discard(&file);
    return result;
}

static bool is_own(const struct output_file *file, const char *name)
{
    struct stat own, entry;
    return fstat(file->descriptor, &own) == 0 && fstatat(file->directory, name, &entry, AT_SYMLINK_NOFOLLOW) == 0 &&
           own.st_dev == entry.st_dev && own.st_ino == entry.st_ino;
}

static bool link_as(void *context, const char *name)
{
    const struct output_file *file = context;
    char self[64];
    if (linkat(file->descriptor, "", file->directory, name, AT_EMPTY_PATH) == 0)
        return true;
    if (errno == EEXIST)
        return false;
    snprintf(self, sizeof self, "/proc/self/fd/%d", file->descriptor); /* only root may do it otherwise */
    return linkat(AT_FDCWD, self, file->directory, name, AT_SYMLINK_FOLLOW) == 0;
}

static int taken_away(const struct output_file *file, struct reason *ret_reason)
{
    return reason_set(ret_reason,
                      "%s: somebody else changes files in its directory: write to one that only you can write to",
                      file->path);
}

/* In the place of an old one. */
static int replace(struct output_file *file, struct reason *ret_reason)
{
    if (check_old(file, ret_reason) != 0)
        return -1;
    if (!is_own(file, file->temporary))
        return taken_away(file, ret_reason);
    if (renameat(file->directory, file->temporary, file->directory, file->name) != 0)
        return reason_set(ret_reason, "%s: cannot be replaced: %s", file->path, strerror(errno));
    free(file->temporary);
    file->temporary = NULL;
    return 0;
}

static int give_name(struct output_file *file, struct reason *ret_reason)
{
    if (fsync(file->descriptor) != 0 && errno != EINVAL)
        return output_file_fail(file, errno, ret_reason);
    if (file->temporary == NULL && !link_as(file, file->name)) {
        file->temporary = errno == EEXIST ? make_temporary(file, link_as, file) : NULL;
        if (file->temporary == NULL)
            return output_file_fail(file, errno, ret_reason);
    }
    if (file->temporary != NULL && replace(file, ret_reason) != 0)
        return -1;
    return is_own(file, file->name) ? 0 : taken_away(file, ret_reason);
}

int output_file_finish(struct output_file *file, struct reason *ret_reason)
{
    const int result = give_name(file, ret_reason);
    output_file_discard(file);
    return result;
}

void output_file_discard(struct output_file *file)
{
    if (file->temporary != NULL && is_own(file, file->temporary))
        unlinkat(file->directory, file->temporary, 0);
    free(file->temporary);
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->directory >= 0)
        close(file->directory);
    *file = closed;
}

int unnamed_file_create(void)
{
    const char *place = getenv("TMPDIR");
    struct reason ignored;
    if (place == NULL || place[0] != '/')
        place = "/tmp";
    const int directory = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return -1;
    int descriptor = open_unnamed(directory);
    const int error = errno;
    close(directory);
    if (descriptor >= 0 || !lacks_unnamed(error)) {
        errno = error;
        return descriptor;
    }
    char *path = format_text("%s/mpilens", place);
    struct output_file file = closed;
    if (output_file_create(path, OUTPUT_MODE_PRIVATE, &file, &ignored) == 0)
        descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0);
    output_file_discard(&file);
    free(path);
    return descriptor;
}

FILE *file_open_stream(int descriptor, const char *mode)
{
    const int own = lseek(descriptor, 0, SEEK_SET) == 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1;
    FILE *stream = own >= 0 ? fdopen(own, mode) : NULL;
    if (stream == NULL && own >= 0)
        close(own);
    return stream;
}
