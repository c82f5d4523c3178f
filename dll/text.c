/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Text out of names, numbers and handles, without the C library's formatted output: these are made by the 100,000.
 */
#include "text.h"

#include <string.h>

struct text text_begin(char *buffer, size_t bytes)
{
    buffer[0] = '\0';
    return (struct text){buffer, buffer + bytes - 1};
}

void text_add_cut(struct text *text, const char *part, size_t limit)
{
    while (limit > 0 && *part != '\0' && text->next < text->last) {
        *text->next++ = *part++;
        limit--;
    }
    *text->next = '\0';
}

void text_add(struct text *text, const char *part)
{
    text_add_cut(text, part, SIZE_MAX);
}

static void add_number(struct text *text, uint64_t value, unsigned base)
{
    char digits[24];
    size_t at = sizeof(digits) - 1;
    digits[at] = '\0';
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0);
    text_add(text, &digits[at]);
}

void text_add_decimal(struct text *text, uint64_t value)
{
    add_number(text, value, 10);
}

void text_add_hexadecimal(struct text *text, uint64_t value)
{
    text_add(text, "0x");
    add_number(text, value, 16);
}

void text_add_parent(struct text *text, const mqs_process_info *info, const struct mpilens_communicator *communicator)
{
    const struct mpilens_communicator *parent =
        communicator->parent_id ? snapshot_communicator_by_id(&info->snapshot, communicator->parent_id) : NULL;
    if (parent && parent->name[0] != '\0')
        text_add(text, parent->name);
    else if (communicator->parent_handle != 0)
        text_add_hexadecimal(text, communicator->parent_handle);
}

void text_add_communicator(struct text *text, const mqs_process_info *info,
                           const struct mpilens_communicator *communicator)
{
    if (communicator->name[0] != '\0') {
        text_add(text, communicator->name);
        return;
    }
    const char *function = function_table_get(&info->functions, communicator->function)->name;
    if (function[0] == '\0') {
        text_add(text, "communicator ");
        text_add_hexadecimal(text, communicator->handle);
        return;
    }
    text_add(text, function);
    char parent[sizeof(communicator->name)];
    struct text parent_text = text_begin(parent, sizeof(parent));
    text_add_parent(&parent_text, info, communicator);
    if (parent[0] != '\0') {
        text_add(text, " of ");
        text_add(text, parent);
    }
}

void text_add_datatype(struct text *text, const mqs_process_info *info, const struct mpilens_datatype *datatype)
{
    if (!datatype)
        return;
    if (datatype->name[0] != '\0') {
        text_add(text, datatype->name);
        return;
    }
    const char *function = function_table_get(&info->functions, datatype->function)->name;
    if (function[0] != '\0') {
        text_add(text, function);
        text_add(text, " ");
    }
    text_add_hexadecimal(text, datatype->handle);
}
