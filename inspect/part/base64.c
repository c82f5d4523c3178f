/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encodes and decodes base64.
 */
#include "part/part.h"

#include <stdint.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(const void *bytes, size_t count, char *ret_text)
{
    const unsigned char *next = bytes;
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < count; i++) {
        bits = bits << 8 | next[i];
        for (held += 8; held >= 6; held -= 6)
            *ret_text++ = alphabet[bits >> (held - 6) & 63];
    }
    if (held > 0)
        *ret_text = alphabet[bits << (6 - held) & 63];
}

/* -1: not of the alphabet. */
static int value_of(char character)
{
    if (character >= 'A' && character <= 'Z')
        return character - 'A';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 26;
    if (character >= '0' && character <= '9')
        return character - '0' + 52;
    return character == '+' ? 62 : character == '/' ? 63 : -1;
}

bool base64_decode(const char *text, size_t length, void *ret_bytes)
{
    unsigned char *next = ret_bytes;
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < length; i++) {
        const int value = value_of(text[i]);
        if (value < 0)
            return false;
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            *next++ = (unsigned char)(bits >> held);
        }
    }
    return length % 4 != 1 && (bits & ((1U << held) - 1)) == 0;
}
