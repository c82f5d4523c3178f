/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Walks to a directory, part by part.
 */
#include "file/file.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

struct walk {
    int directory;
    char *rest; /* of the path, which the walk owns */
    int links;
    const char *problem; /* NULL: as errno says */
};

static bool enter(struct walk *walk, int next)
{
    if (next < 0)
        return false;
    close(walk->directory);
    walk->directory = next;
    return true;
}

/* The target of the link comes before the rest. */
static bool follow(struct walk *walk, int link, const struct stat *status)
{
    char target[PATH_MAX];
    if (status->st_uid != 0 && status->st_uid != geteuid()) {
        walk->problem = "a symbolic link of another user leads to it: name its directory without that";
        return false;
    }
    if (++walk->links > MOST_LINKS) {
        errno = ELOOP;
        return false;
    }
    const ssize_t length = readlinkat(link, "", target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    char *rest = format_text("%s/%s", target, walk->rest);
    free(walk->rest);
    walk->rest = rest;
    return target[0] != '/' || enter(walk, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* Takes the first part off the rest and goes there. */
static bool step(struct walk *walk)
{
    char *part = walk->rest + strspn(walk->rest, "/");
    const size_t length = strcspn(part, "/");
    char *name = format_text("%.*s", (int)length, part);
    char *rest = copy_text(part + length);
    free(walk->rest);
    walk->rest = rest;
    struct stat status;
    const int next = name[0] != '\0' ? openat(walk->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool is_there = name[0] == '\0';
    if (next >= 0 && fstat(next, &status) == 0 && S_ISLNK(status.st_mode)) {
        is_there = follow(walk, next, &status);
        close(next);
    } else if (next >= 0) {
        is_there = enter(walk, next);
    }
    free(name);
    return is_there;
}

int output_directory_open(const char *path, int *ret_directory, const char **ret_name, struct reason *ret_reason)
{
    const char *name = file_name(path);
    struct stat status;
    if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return reason_set(ret_reason, "%s names no file", path);
    struct walk walk = {.directory = open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC),
                        .rest = format_text("%.*s", (int)(name - path), path)};
    bool is_there = walk.directory >= 0;
    while (is_there && walk.rest[0] != '\0')
        is_there = step(&walk);
    if (is_there && fstat(walk.directory, &status) == 0 && !S_ISDIR(status.st_mode)) {
        is_there = false;
        errno = ENOTDIR;
    }
    const int error = errno;
    free(walk.rest);
    if (is_there) {
        *ret_directory = walk.directory;
        *ret_name = name;
        return 0;
    }
    if (walk.directory >= 0)
        close(walk.directory);
    return reason_set(ret_reason, "%s: cannot be created: %s", path,
                      walk.problem != NULL ? walk.problem : strerror(error));
}
