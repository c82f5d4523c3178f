/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID/maps.
 */
#include "base/process_maps.h"

#include "base/blocked_read.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A Python with all that it can import has some thousand lines of about a hundred bytes. */
enum { MOST_BYTES = 4 << 20 };

/* What follows the first `count` words. */
static char *skip_words(char *text, int count)
{
    for (int i = 0; i < count; i++) {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    return text;
}

static bool visit_all(const char *proc, pid_t pid, visit_mapping *visit, void *context)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%ld/maps", proc, (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return true;
    char buffer[1 << 14]; /* the kernel gives a page at a time */
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    char *line = NULL;
    size_t capacity = 0, bytes = 0;
    ssize_t length;
    while (bytes <= MOST_BYTES && (length = getline(&line, &capacity, file)) > 0) {
        line[strcspn(line, "\n")] = '\0';
        char *permissions = skip_words(line, 1); /* behind the addresses */
        char *name = skip_words(permissions, 4); /* behind offset, device and inode, too */
        if (*name == '\0')
            continue;
        permissions[strcspn(permissions, " ")] = '\0';
        bytes += (size_t)length;
        if (visit != NULL)
            visit(context, permissions, name);
    }
    free(line);
    fclose(file);
    return bytes <= MOST_BYTES;
}

bool process_maps_visit(const char *proc, pid_t pid, visit_mapping *visit, void *context)
{
    if (blocked_read_is_silent(pid))
        return true;
    blocked_read_begin(pid);
    const bool has_all = visit_all(proc, pid, visit, context);
    blocked_read_end();
    return has_all;
}
