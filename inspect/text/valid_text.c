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

size_t valid_character(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    const unsigned char first = byte[0];
    if (first < 0x80)
        return first >= 0x20 && first != 0x7f;
    const size_t length = is_between(first, 0xc2, 0xdf)   ? 2
                          : is_between(first, 0xe0, 0xef) ? 3
                          : is_between(first, 0xf0, 0xf4) ? 4
                                                          : 0;
    /* Neither more bytes than needed, nor surrogates, nor beyond U+10FFFF; nor U+FFFE and U+FFFF, which XML forbids. */
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (length == 0 || !is_between(byte[1], least, most) || (first == 0xc2 && byte[1] < 0xa0))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (!is_between(byte[i], 0x80, 0xbf))
            return 0;
    return first == 0xef && byte[1] == 0xbf && byte[2] >= 0xbe ? 0 : length;
}

static int is_control(unsigned char byte)
{
    return byte < 0x20 || byte == 0x7f;
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
