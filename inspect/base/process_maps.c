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

/* A Python with all that it can import has some thousand lines of about a hundred bytes. */
enum { MOST_BYTES = 4 << 20 };

static char *skip_blanks(char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

static char *skip_word(char *text)
{
    while (*text != ' ' && *text != '\0')
        text++;
    return text;
}

/* strtoull() would be two thirds of what it costs to look at all processes of a host. */
static uint64_t take_number(char **text, unsigned base)
{
    uint64_t number = 0;
    for (;; ++*text) {
        const char letter = **text;
        const unsigned digit = letter >= '0' && letter <= '9'   ? (unsigned)(letter - '0')
                               : letter >= 'a' && letter <= 'f' ? (unsigned)(letter - 'a' + 10)
                                                                : base;
        if (digit >= base)
            return number;
        number = number * base + digit;
    }
}

/* The number behind `before`, which is next; 0: something else is. */
static uint64_t take_number_after(char before, char **text, unsigned base)
{
    if (**text != before)
        return 0;
    ++*text;
    return take_number(text, base);
}

/* Of "start-end permissions offset major:minor inode name"; false: it has no name. Takes the line apart. */
static bool read_mapping(char *line, struct mapping *ret_mapping)
{
    char *next = line;
    struct mapping mapping = {.start = take_number(&next, 16)};
    mapping.end = take_number_after('-', &next, 16);
    char *permissions = skip_blanks(next);
    char *end_of_permissions = skip_word(permissions);
    next = skip_blanks(skip_word(skip_blanks(end_of_permissions))); /* behind the offset */
    *end_of_permissions = '\0';
    mapping.permissions = permissions;
    mapping.device_major = (unsigned)take_number(&next, 16);
    mapping.device_minor = (unsigned)take_number_after(':', &next, 16);
    next = skip_blanks(next);
    mapping.inode = take_number(&next, 10);
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
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
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
