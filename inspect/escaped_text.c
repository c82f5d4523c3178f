/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts of applications on their way to people.
 */
#include "escaped_text.h"

#include "allocation.h"
#include "valid_text.h"

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of "\xff". */
enum { ESCAPE_BYTES = 4 };

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

void escaped_text_set_locale(void)
{
    const bool is_named = is_set("LC_ALL") || is_set("LC_CTYPE") || is_set("LANG");
    setlocale(LC_CTYPE, is_named ? "" : "C.UTF-8");
}

/* Line and paragraph separator; marks, embeddings, overrides and isolates of direction. */
static bool is_obeyed(const char *character, size_t length)
{
    static const char *const ranges[][2] = {{"\u200e", "\u200f"}, {"\u2028", "\u202e"}, {"\u2066", "\u2069"}};
    if (length == 2)
        return memcmp(character, "\u061c", 2) == 0;
    for (size_t i = 0; length == 3 && i < sizeof ranges / sizeof *ranges; i++)
        if (memcmp(character, ranges[i][0], 3) >= 0 && memcmp(character, ranges[i][1], 3) <= 0)
            return true;
    return false;
}

/* Of the character at the beginning, how many bytes are written as they are; 0: its first byte is escaped. */
static size_t plain_bytes(const char *text, bool has_unicode)
{
    const size_t length = valid_character(text);
    return length > 1 && (!has_unicode || is_obeyed(text, length)) ? 0 : length;
}

static char *write_escape(char *end, char byte)
{
    if (byte == '\n' || byte == '\t')
        return stpcpy(end, byte == '\n' ? "\\n" : "\\t");
    return end + snprintf(end, ESCAPE_BYTES + 1, "\\x%02x", (unsigned char)byte);
}

char *escaped_text(const char *text)
{
    const bool has_unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    char *copy = allocate(ESCAPE_BYTES * strlen(text) + 1);
    char *end = copy;
    while (*text != '\0') {
        size_t length = plain_bytes(text, has_unicode);
        if (length == 0)
            end = write_escape(end, *text++);
        for (; length > 0; length--)
            *end++ = *text++;
    }
    *end = '\0';
    return copy;
}
