/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes lines of a source file, and finds the call in one of them.
 */
#include "source/source.h"

#include "base/base.h"
#include "text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Bytes of one line, characters of one name, columns between two stops of a tabulator. */
enum { MOST_LINE_BYTES = 4096, MOST_NAME = 256, TAB_COLUMNS = 8 };

/* Where something that is left out stood. */
static const char dots[] = "...";

/* The first bytes of a line, escaped, with blanks for tabs. */
static const char *describe(const char *line, size_t bytes)
{
    FILE *stream = arena_open();
    size_t columns = 0;
    for (size_t i = 0, end; i < bytes; i = end + 1) {
        for (end = i; end < bytes && line[end] != '\t';)
            end++;
        const char *part = arena_take(escaped_text(arena_text("%.*s", (int)(end - i), line + i)));
        columns += text_columns(part);
        fputs(part, stream);
        if (end == bytes)
            break;
        const size_t blanks = TAB_COLUMNS - columns % TAB_COLUMNS;
        fprintf(stream, "%*s", (int)blanks, "");
        columns += blanks;
    }
    return arena_close(stream);
}

struct raw_line {
    const char *text;
    size_t bytes; /* without its end; cut */
};

static bool is_blank(const struct raw_line *line)
{
    for (size_t i = 0; i < line->bytes; i++)
        if (line->text[i] != ' ' && line->text[i] != '\t')
            return false;
    return true;
}

/* A line from `*at` on, which goes to the next one; NULL: that was the last one. */
static struct raw_line next_line(const char **at, const char *end)
{
    const char *begin = *at, *stop = memchr(begin, '\n', (size_t)(end - begin));
    size_t bytes = stop != NULL ? (size_t)(stop - begin) : (size_t)(end - begin);
    *at = stop != NULL && stop + 1 < end ? stop + 1 : NULL;
    bytes = strnlen(begin, bytes);
    if (bytes > 0 && begin[bytes - 1] == '\r')
        bytes--;
    return (struct raw_line){.text = begin, .bytes = bytes < MOST_LINE_BYTES ? bytes : MOST_LINE_BYTES};
}

static bool is_of_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* The name in the line, not as a part of another one; `as_method`: only behind "." or "->". SIZE_MAX: it is not there.
 */
static size_t find_name(const struct raw_line *line, const char *name, size_t length, bool as_method)
{
    for (size_t i = 0; length > 0 && i + length <= line->bytes; i++) {
        const char *at = line->text + i;
        if (strncasecmp(at, name, length) != 0 || (i + length < line->bytes && is_of_name(at[length])) ||
            (i > 0 && is_of_name(at[-1])))
            continue;
        const bool is_method = i > 0 && (at[-1] == '.' || (i > 1 && at[-1] == '>' && at[-2] == '-'));
        if (is_method || !as_method)
            return i;
    }
    return SIZE_MAX;
}

/* "send" of "MPI_Send", "fence" of "MPI_Win_fence", as languages with objects call it. */
static const char *method_of(const char *name)
{
    static const char *const objects[] = {"Win_", "File_", "Comm_", "Request_"};
    const char *method = name + strlen("MPI_");
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (strncmp(method, objects[i], strlen(objects[i])) == 0)
            return method + strlen(objects[i]);
    return method;
}

/* "solve" of "ns::solver<double>::solve(int)". */
static void take_last_name(const char *called, char *ret_name, size_t most)
{
    const size_t length = strcspn(called, "(<@");
    size_t begin = length;
    while (begin > 0 && is_of_name(called[begin - 1]))
        begin--;
    snprintf(ret_name, most, "%.*s", (int)(length - begin), called + begin);
}

static bool find_call(const struct raw_line *line, const char *called, size_t *ret_at, size_t *ret_length)
{
    char name[MOST_NAME];
    take_last_name(called, name, sizeof name);
    size_t length = strlen(name);
    size_t at = find_name(line, name, length, false);
    if (at == SIZE_MAX && length > strlen("_c") && strcmp(name + length - strlen("_c"), "_c") == 0) {
        length -= strlen("_c"); /* of a large count, by which bindings that choose make the call */
        name[length] = '\0';
        at = find_name(line, name, length, false);
    }
    if (at == SIZE_MAX && strncmp(name, "MPI_", strlen("MPI_")) == 0) {
        const char *method = method_of(name);
        length = strlen(method);
        at = find_name(line, method, length, true);
        /* Binding of objects of any size: its gather() calls MPI_Gatherv. */
        if (at == SIZE_MAX && length > 1 && (method[length - 1] == 'v' || method[length - 1] == 'w'))
            at = find_name(line, method, --length, true);
    }
    *ret_at = at;
    *ret_length = length;
    return at != SIZE_MAX;
}

static void mark(struct source_lines *lines, const struct raw_line *line, const char *called)
{
    size_t at = 0, length = 0;
    if (called == NULL || !find_call(line, called, &at, &length)) {
        for (at = 0; at < line->bytes && (line->text[at] == ' ' || line->text[at] == '\t');)
            at++;
        length = at < line->bytes ? 1 : 0;
    }
    const char *before = describe(line->text, at);
    lines->mark = strlen(before);
    lines->column = text_columns(before);
    /* A name has no characters to be escaped; otherwise only the first character of the line is marked. */
    const char *marked = lines->items[lines->named].text + lines->mark;
    lines->mark_bytes = length > 1 ? length : valid_character(marked);
    lines->mark_columns = length;
}

static void drop_blank_ends(struct raw_line *raw, size_t *first, size_t *end, size_t named)
{
    while (*first < named && is_blank(&raw[*first]))
        ++*first;
    while (*end > named + 1 && is_blank(&raw[*end - 1]))
        --*end;
}

bool source_lines_take(const char *text, size_t bytes, int line, int before, int after, const char *called,
                       struct source_lines *ret_lines)
{
    const int64_t wanted_first = line > before ? line - before : 1, wanted_last = (int64_t)line + after;
    const size_t most = (size_t)(wanted_last - wanted_first + 1);
    struct raw_line *raw = allocate(most * sizeof *raw);
    size_t count = 0;
    const char *at = bytes > 0 ? text : NULL;
    for (int64_t number = 1; at != NULL && number <= wanted_last; number++) {
        const struct raw_line one = next_line(&at, text + bytes);
        if (number >= wanted_first)
            raw[count++] = one;
    }
    const size_t named = (size_t)(line - wanted_first);
    const bool has_line = count > named;
    if (has_line) {
        size_t first = 0, end = count;
        drop_blank_ends(raw, &first, &end, named);
        *ret_lines = (struct source_lines){.named = named - first};
        for (size_t i = first; i < end; i++) {
            ret_lines->items = arena_append(ret_lines->items, &ret_lines->count, sizeof *ret_lines->items);
            ret_lines->items[ret_lines->count - 1] = (struct source_line){.number = (int)(wanted_first + (int64_t)i),
                                                                          .text = describe(raw[i].text, raw[i].bytes)};
        }
        mark(ret_lines, &raw[named], called);
    }
    free(raw);
    return has_line;
}

const char *source_line_part(const char *text, size_t skipped, size_t columns)
{
    const size_t all = text_columns(text);
    const bool lacks_begin = skipped > 0 && all > 0, lacks_end = all > skipped + columns;
    const size_t reserved = lacks_end && columns > strlen(dots) ? strlen(dots) : 0;
    const char *part = text;
    size_t column = 0;
    while (*part != '\0' && column < skipped + (lacks_begin ? strlen(dots) : 0)) {
        const size_t length = valid_character(part);
        column += character_columns(part, length);
        part += length;
    }
    size_t bytes = 0;
    while (part[bytes] != '\0') {
        const size_t length = valid_character(part + bytes);
        column += character_columns(part + bytes, length);
        if (column > skipped + columns - reserved)
            break;
        bytes += length;
    }
    return arena_text("%s%.*s%s", lacks_begin ? dots : "", (int)bytes, part, lacks_end ? dots : "");
}
