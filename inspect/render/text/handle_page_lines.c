/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the lines of a handle's page.
 */
#include "render/text/handle_page_lines.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static struct text_line *add(const struct page *page, const char *label, const char *text)
{
    char *const cells[] = {(char *)(uintptr_t)label, (char *)(uintptr_t)text}; /* are copied */
    return text_table_add_below(page->table, page->section, cells);
}

void page_add(struct page *page, const char *label, const char *text)
{
    add(page, label, text);
}

void page_begin(struct page *page, const char *label, const char *text)
{
    page->section = NULL;
    page->section = add(page, label, text != NULL ? text : "");
}

void page_end(struct page *page)
{
    page->section = NULL;
}

void page_take(struct page *page, const char *label, char *text)
{
    if (text[0] != '\0')
        add(page, label, text);
    free(text);
}

void page_write(struct page *page, const char *label, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0)
        page_take(page, label, text);
}
