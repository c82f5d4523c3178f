/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Builds texts from names, numbers and handles without the C library's formatted output, which is too slow for 100,000
 * texts.
 */
#include "facts/facts.h"

#include <string.h>

struct text text_begin(char *buffer, size_t bytes)
{
    buffer[0] = '\0';
    return (struct text){buffer, buffer + bytes - 1};
}

static void add_bytes(struct text *text, const char *part, size_t length)
{
    size_t room = (size_t)(text->last - text->next);
    if (length > room)
        length = room;
    memcpy(text->next, part, length);
    text->next += length;
    *text->next = '\0';
}

void text_add_cut(struct text *text, const char *part, size_t limit)
{
    size_t length = strlen(part);
    add_bytes(text, part, length < limit ? length : limit);
}

void text_add(struct text *text, const char *part)
{
    add_bytes(text, part, strlen(part));
}

void text_set(char *buffer, size_t bytes, const char *part)
{
    struct text text = text_begin(buffer, bytes);
    text_add(&text, part);
}

enum { MOST_DIGITS = 24 }; /* of 64 bits in any base from ten up */

void text_add_decimal(struct text *text, uint64_t value)
{
    char digits[MOST_DIGITS];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    add_bytes(text, &digits[at], sizeof digits - at);
}

void text_add_signed(struct text *text, int64_t value)
{
    text_add(text, value < 0 ? "-" : "");
    text_add_decimal(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void text_add_hexadecimal(struct text *text, uint64_t value)
{
    char digits[MOST_DIGITS];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % 16];
        value /= 16;
    } while (value > 0);
    digits[--at] = 'x';
    digits[--at] = '0';
    add_bytes(text, &digits[at], sizeof digits - at);
}

void text_add_rank(struct text *text, int32_t local, int32_t world)
{
    if (local < 0) {
        text_add(text, "any");
        return;
    }
    text_add_signed(text, local);
    if (world == local || world < 0)
        return;
    text_add(text, " (world ");
    text_add_signed(text, world);
    text_add(text, ")");
}

static void add_range(struct text *text, const struct mpilens_rank_range *range)
{
    if (range->first < 0) {
        text_add_signed(text, range->count);
        text_add(text, " of another world");
        return;
    }
    text_add_signed(text, range->first);
    if (range->count == 1)
        return;
    text_add(text, range->count == 2 && range->stride != 1 ? ", " : "-");
    text_add_signed(text, range->first + (int64_t)range->stride * (range->count - 1));
    if (range->count == 2 || range->stride == 1)
        return;
    text_add(text, " by ");
    text_add_signed(text, range->stride);
}

void text_add_ranges(struct text *text, const struct text_ranges *ranges)
{
    const size_t most = sizeof ranges->items / sizeof ranges->items[0];
    for (size_t i = 0; i < ranges->count && i < most; i++) {
        text_add(text, i > 0 ? ", " : "");
        add_range(text, &ranges->items[i]);
    }
    if (ranges->count > most)
        text_add(text, ", ...");
    if (ranges->count == 0)
        text_add(text, "none");
}

/* Longer lines of unnamed parents are cut. */
enum { MOST_ANCESTORS = 4 };

static void add_origin(struct text *text, const struct reading *reading,
                       const struct mpilens_communicator *communicator, int ancestors);

static void add_parent(struct text *text, const struct reading *reading,
                       const struct mpilens_communicator *communicator, int ancestors)
{
    const struct mpilens_communicator *parent =
        communicator->parent_id ? snapshot_communicator_by_id(&reading->snapshot, communicator->parent_id) : NULL;
    if (parent != NULL)
        add_origin(text, reading, parent, ancestors);
    else if (communicator->parent_handle != 0)
        text_add(text, "a freed communicator"); /* its handle may be another one's by now */
}

static void add_origin(struct text *text, const struct reading *reading,
                       const struct mpilens_communicator *communicator, int ancestors)
{
    const char *function = function_table_get(&reading->functions, communicator->function)->name;
    if (communicator->name[0] != '\0') {
        text_add(text, communicator->name);
    } else if (function[0] == '\0') {
        text_add(text, "communicator ");
        text_add_hexadecimal(text, communicator->handle);
    } else {
        text_add(text, function);
        char parent[sizeof communicator->name];
        struct text parent_text = text_begin(parent, sizeof parent);
        if (ancestors > 0)
            add_parent(&parent_text, reading, communicator, ancestors - 1);
        if (parent[0] != '\0') {
            text_add(text, " of ");
            text_add(text, parent);
        }
    }
}

void text_add_parent(struct text *text, const struct reading *reading, const struct mpilens_communicator *communicator)
{
    add_parent(text, reading, communicator, MOST_ANCESTORS);
}

void text_add_communicator(struct text *text, const struct reading *reading,
                           const struct mpilens_communicator *communicator)
{
    add_origin(text, reading, communicator, MOST_ANCESTORS);
}

void text_add_datatype(struct text *text, const struct reading *reading, const struct mpilens_datatype *datatype)
{
    if (datatype == NULL)
        return;
    if (datatype->name[0] != '\0') {
        text_add(text, datatype->name);
        return;
    }
    const char *function = function_table_get(&reading->functions, datatype->function)->name;
    if (function[0] != '\0') {
        text_add(text, function);
        text_add(text, " ");
    }
    text_add_hexadecimal(text, datatype->handle);
}
