/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists /proc/PID/fd.
 */
#include "kernel/kernel.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 8192 };

static uint64_t socket_inode(const char *path)
{
    static const char prefix[] = "socket:[";
    return strncmp(path, prefix, strlen(prefix)) == 0 ? strtoull(path + strlen(prefix), NULL, 10) : 0;
}

int open_descriptors_visit(const char *proc, pid_t pid,
                           void (*visit)(void *context, const struct open_descriptor *descriptor), void *context)
{
    char name[PATH_MAX], path[PATH_MAX];
    snprintf(name, sizeof name, "%s/%ld/fd", proc, (long)pid);
    DIR *directory = opendir(name);
    if (directory == NULL)
        return -1;
    const struct dirent *entry;
    for (int count = 0; count < MOST_DESCRIPTORS && (entry = readdir(directory)) != NULL; count++) {
        char *end;
        const long number = strtol(entry->d_name, &end, 10);
        const ssize_t length = end != entry->d_name && *end == '\0' && number >= 0 && number <= INT_MAX
                                   ? readlinkat(dirfd(directory), entry->d_name, path, sizeof path - 1)
                                   : -1;
        if (length < 0)
            continue;
        path[length] = '\0';
        const struct open_descriptor descriptor = {.number = (int)number, .socket = socket_inode(path), .path = path};
        visit(context, &descriptor);
    }
    closedir(directory);
    return 0;
}
