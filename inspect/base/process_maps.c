/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID/maps.
 */
#include "base/process_maps.h"

#include "base/blocked_read.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A Python with all that it can import has some thousand lines of about a hundred bytes. */
enum { MOST_BYTES = 4 << 20 };

static char *skip_blanks(char *text)
{
    return text + strspn(text, " ");
}

/* Puts an end behind the first word; what follows it. */
static char *end_word(char *text)
{
    text += strcspn(text, " ");
    if (*text == ' ')
        *text++ = '\0';
    return skip_blanks(text);
}

/* Of "start-end permissions offset major:minor inode name"; false: it has no name. Takes the line apart. */
static bool read_mapping(char *line, struct mapping *ret_mapping)
{
    char *next;
    struct mapping mapping = {.start = strtoull(line, &next, 16)};
    mapping.end = *next == '-' ? strtoull(next + 1, &next, 16) : 0;
    next = skip_blanks(next);
    mapping.permissions = next;
    next = end_word(end_word(next)); /* the offset, too */
    mapping.device_major = (unsigned)strtoul(next, &next, 16);
    mapping.device_minor = *next == ':' ? (unsigned)strtoul(next + 1, &next, 16) : 0;
    mapping.inode = strtoull(next, &next, 10);
    mapping.name = skip_blanks(next);
    *ret_mapping = mapping;
    return mapping.name[0] != '\0';
}

static int visit_all(const char *proc, pid_t pid, visit_mapping *visit, void *context)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%ld/maps", proc, (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return errno;
    char buffer[1 << 14]; /* the kernel gives a page at a time */
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    char *line = NULL;
    size_t capacity = 0, bytes = 0;
    ssize_t length;
    errno = 0;
    while (bytes <= MOST_BYTES && (length = getline(&line, &capacity, file)) > 0) {
        line[strcspn(line, "\n")] = '\0';
        struct mapping mapping;
        if (!read_mapping(line, &mapping))
            continue;
        bytes += (size_t)length;
        visit(context, &mapping);
    }
    const int error = ferror(file) ? errno : bytes > MOST_BYTES ? E2BIG : 0;
    free(line);
    fclose(file);
    return error;
}

int process_maps_visit(const char *proc, pid_t pid, visit_mapping *visit, void *context)
{
    if (blocked_read_is_silent(pid))
        return 0;
    blocked_read_begin(pid);
    const int error = visit_all(proc, pid, visit, context);
    blocked_read_end();
    return error;
}
