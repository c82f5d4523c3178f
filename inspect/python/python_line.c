/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads tables of lines: co_lnotab to 3.9, co_linetable of 3.10, and its new form from 3.11 on.
 */
#include "python/python.h"

#include <limits.h>
#include <stdbool.h>

/* Invalid lines, such as in a damaged table, become 0. */
static int line_of(int64_t line)
{
    return line > 0 && line <= INT_MAX ? (int)line : 0;
}

/* A byte with a sign. */
static int signed_of(unsigned char byte)
{
    return byte < 128 ? byte : byte - 256;
}

/* Pairs: bytes to the next entry, and lines further from there on. */
static int line_by_steps(const unsigned char *table, size_t bytes, int64_t line, int64_t instruction)
{
    int64_t at = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        at += table[i];
        if (at > instruction)
            break;
        line += signed_of(table[i + 1]);
    }
    return line_of(line);
}

/* Pairs: of a range of bytes its length and how much further its line is, or that it has none. */
static int line_by_ranges(const unsigned char *table, size_t bytes, int64_t line, int64_t instruction)
{
    enum { NO_LINE = -128 };
    int64_t end = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        const int step = signed_of(table[i + 1]);
        end += table[i];
        line += step != NO_LINE ? step : 0;
        if (instruction < end)
            return step != NO_LINE ? line_of(line) : 0;
    }
    return 0;
}

/* Six bits in each byte, the lowest first; one says whether there are more. */
static bool take_number(const unsigned char *table, size_t bytes, size_t *at, uint64_t *ret_number)
{
    uint64_t number = 0;
    for (unsigned shift = 0; *at < bytes && shift < 36; shift += 6) {
        const unsigned char byte = table[(*at)++];
        number |= (uint64_t)(byte & 0x3f) << shift;
        if ((byte & 0x40) == 0) {
            *ret_number = number;
            return true;
        }
    }
    return false;
}

/* Entries: kind and number of instructions, then the data of the kind. */
static int line_by_entries(const unsigned char *table, size_t bytes, int64_t line, int64_t instruction)
{
    enum { ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14, NONE = 15, INSTRUCTION_BYTES = 2 };
    int64_t end = 0;
    for (size_t at = 0; at < bytes;) {
        const unsigned char first = table[at++];
        const int kind = first >> 3 & 15;
        if ((first & 0x80) == 0)
            return 0;
        end += (int64_t)((first & 7) + 1) * INSTRUCTION_BYTES;
        if (kind == LONG || kind == NO_COLUMNS) {
            uint64_t step;
            if (!take_number(table, bytes, &at, &step))
                return 0;
            line += (step & 1) != 0 ? -(int64_t)(step >> 1) : (int64_t)(step >> 1);
        } else if (kind >= ONE_LINE && kind < NO_COLUMNS) {
            line += kind - ONE_LINE;
        }
        if (instruction < end)
            return kind != NONE ? line_of(line) : 0;
        while (at < bytes && (table[at] & 0x80) == 0) /* columns */
            at++;
    }
    return 0;
}

int python_line(uint32_t minor, const unsigned char *table, size_t bytes, int first_line, int64_t instruction)
{
    if (instruction < 0)
        return line_of(first_line);
    return minor < 10    ? line_by_steps(table, bytes, first_line, instruction)
           : minor == 10 ? line_by_ranges(table, bytes, first_line, instruction)
                         : line_by_entries(table, bytes, first_line, instruction);
}
