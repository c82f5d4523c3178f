/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breaks texts into lines, word by word.
 */
#include "text/text.h"

#include "base/base.h"

#include <stdio.h>
#include <string.h>

/* "ring.c:12", "(halo.c:11)". */
static bool has_place(const char *word, size_t bytes)
{
    for (size_t i = 1; i + 1 < bytes; i++)
        if (word[i] == ':' && word[i - 1] != ':' && word[i + 1] >= '0' && word[i + 1] <= '9')
            return true;
    return false;
}

static size_t word_columns(const char *word, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0, length; i < bytes; i += length) {
        length = valid_character(word + i);
        columns += character_columns(word + i, length);
    }
    return columns;
}

/* How many bytes of a word fit into the columns, at least one character; a word is best broken behind a comma,
 * a slash or "::". */
static size_t fitting_bytes(const char *word, size_t bytes, size_t columns)
{
    size_t used = 0, fitting = 0, best = 0;
    while (fitting < bytes) {
        const size_t length = valid_character(word + fitting);
        used += character_columns(word + fitting, length);
        if (used > columns && fitting > 0)
            break;
        fitting += length;
        const bool is_behind_scope = fitting > 1 && word[fitting - 1] == ':' && word[fitting - 2] == ':';
        if (word[fitting - 1] == ',' || word[fitting - 1] == '/' || is_behind_scope)
            best = fitting;
    }
    return fitting == bytes || best == 0 ? fitting : best;
}

struct lines {
    FILE *stream;
    size_t width, indent;
    size_t column;   /* of the current line */
    bool is_started; /* it has more than the indentation */
};

static void begin_line(struct lines *lines)
{
    fprintf(lines->stream, "\n%*s", (int)lines->indent, "");
    lines->column = lines->indent;
    lines->is_started = false;
}

static void put_part(struct lines *lines, const char *part, size_t bytes)
{
    fwrite(part, 1, bytes, lines->stream);
    lines->column += word_columns(part, bytes);
    lines->is_started = true;
}

static void put_word(struct lines *lines, size_t blanks, const char *word, size_t bytes, bool is_whole)
{
    const size_t columns = word_columns(word, bytes);
    if (lines->is_started && lines->column + blanks + columns > lines->width)
        begin_line(lines);
    else
        lines->column += (size_t)fprintf(lines->stream, "%*s", (int)blanks, "");
    while (!is_whole && lines->column + word_columns(word, bytes) > lines->width) {
        const size_t fitting =
            fitting_bytes(word, bytes, lines->width > lines->column ? lines->width - lines->column : 1);
        if (fitting == bytes)
            break;
        put_part(lines, word, fitting);
        begin_line(lines);
        word += fitting;
        bytes -= fitting;
    }
    put_part(lines, word, bytes);
}

char *broken_text(const char *text, size_t width, size_t indent, bool is_whole)
{
    char *result;
    struct lines lines = {.stream = open_text(&result), .width = width, .indent = indent < width ? indent : 0};
    while (*text != '\0') {
        const size_t blanks = strspn(text, " ");
        const char *word = text + blanks;
        const size_t bytes = strcspn(word, " ");
        if (bytes > 0)
            put_word(&lines, blanks, word, bytes, is_whole || has_place(word, bytes));
        is_whole = false;
        text = word + bytes;
    }
    fclose(lines.stream);
    return result;
}

size_t longest_word(const char *text, size_t most, bool is_whole)
{
    size_t longest = 0;
    while (*text != '\0') {
        const char *word = text + strspn(text, " ");
        const size_t bytes = strcspn(word, " ");
        const size_t columns = word_columns(word, bytes);
        const size_t counted = columns > most && !is_whole && !has_place(word, bytes) ? most : columns;
        longest = counted > longest ? counted : longest;
        is_whole = false;
        text = word + bytes;
    }
    return longest;
}
