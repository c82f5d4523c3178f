/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Escapes texts of applications before people see them.
 */
#include "text/text.h"

#include "base/base.h"

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

/* The code point of a character of two or three bytes; 0: it has another length. */
static unsigned code_point(const char *character, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)character;
    switch (length) {
    case 2:
        return (bytes[0] & 0x1fu) << 6 | (bytes[1] & 0x3fu);
    case 3:
        return (bytes[0] & 0xfu) << 12 | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu);
    default:
        return 0;
    }
}

/* Line and paragraph separator; marks, embeddings, overrides and isolates of direction. */
static bool is_obeyed(const char *character, size_t length)
{
    static const unsigned ranges[][2] = {{0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    const unsigned code = code_point(character, length);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

/* How many bytes of the first character are written as they are; 0: its first byte is escaped. */
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

bool text_has_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

char *escaped_text(const char *text)
{
    const bool has_unicode = text_has_unicode();
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
