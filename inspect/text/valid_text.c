/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks UTF-8: RFC 3629, section 4.
 */
#include "text/text.h"

#include "base/base.h"

#include <string.h>

static int is_between(unsigned char byte, unsigned least, unsigned most)
{
    return byte >= least && byte <= most;
}

size_t utf8_character(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    const unsigned char first = byte[0];
    const size_t length = first < 0x80                    ? 1
                          : is_between(first, 0xc2, 0xdf) ? 2
                          : is_between(first, 0xe0, 0xef) ? 3
                          : is_between(first, 0xf0, 0xf4) ? 4
                                                          : 0;
    /* Neither more bytes than needed, nor surrogates, nor beyond U+10FFFF. */
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (length > 1 && !is_between(byte[1], least, most))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (!is_between(byte[i], 0x80, 0xbf))
            return 0;
    return length;
}

static int is_control(unsigned char byte)
{
    return byte < 0x20 || byte == 0x7f;
}

size_t valid_character(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    const size_t length = utf8_character(text);
    const bool is_control_of_two = length == 2 && byte[0] == 0xc2 && byte[1] < 0xa0;
    const bool is_forbidden = length == 3 && byte[0] == 0xef && byte[1] == 0xbf && byte[2] >= 0xbe;
    return (length == 1 && is_control(byte[0])) || is_control_of_two || is_forbidden ? 0 : length;
}

char *valid_text(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    char *copy = allocate(3 * strlen(text) + 1);
    char *end = copy;
    while (*text != '\0') {
        size_t length = valid_character(text);
        if (length == 0) {
            end = stpcpy(end, is_control((unsigned char)*text) ? " " : replacement);
            text++;
        }
        for (; length > 0; length--)
            *end++ = *text++;
    }
    return copy;
}
