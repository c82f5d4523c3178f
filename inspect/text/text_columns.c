/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the width of texts, without wcwidth(), which would need a locale that the machine may not have. Blocks of
 * Unicode are precise enough: a character of the wrong width only looks a little different.
 */
#include "text/text.h"

#include <stdbool.h>
#include <stdint.h>

struct block {
    uint32_t first, last;
};

static const struct block wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97f}, {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static const struct block joining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064},
    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};

static bool is_in(uint32_t code, const struct block *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= blocks[i].first && code <= blocks[i].last)
            return true;
    return false;
}

/* Bits of the first byte of a character, by its number of bytes. */
static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};

size_t character_columns(const char *character, size_t length)
{
    uint32_t code = (unsigned char)character[0] & first_bits[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)character[i] & 0x3f);
    if (is_in(code, joining, sizeof joining / sizeof *joining))
        return 0;
    return is_in(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t text_columns(const char *text)
{
    size_t columns = 0;
    while (*text != '\0') {
        const size_t length = valid_character(text);
        columns += character_columns(text, length);
        text += length;
    }
    return columns;
}
