/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID/maps.
 */
#include "base/base.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* Takes a line "start-end permissions offset major:minor inode name"; false: it has no name. Takes the line apart. */
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

/* The kernel gives a page at a time: they are taken at once, and looked at then. */
int process_maps_visit(const char *proc, pid_t pid, visit_mapping *visit, void *context)
{
    size_t count, bytes = 0;
    if (blocked_read_is_silent(pid))
        return 0;
    char *text = read_process_file(proc, pid, "maps", &count);
    if (text == NULL)
        return errno;
    char *rest = text;
    for (char *line; bytes <= MOST_BYTES && (line = strsep(&rest, "\n")) != NULL;) {
        const size_t length = rest != NULL ? (size_t)(rest - line) : strlen(line);
        struct mapping mapping;
        if (length == 0 || !read_mapping(line, &mapping))
            continue;
        bytes += length;
        visit(context, &mapping);
    }
    free(text);
    return bytes > MOST_BYTES ? E2BIG : 0;
}
