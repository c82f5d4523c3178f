/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects the lines of a page.
 */
#include "facts/facts.h"

#include "target/target.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longer pages are cut. */
enum { MOST_PAGE_LINES = 1 << 17, MOST_PAGE_BYTES = 1 << 24, FIRST_LINES = 32, FIRST_BYTES = 1024 };

/* Room for `needed` elements where `count` are; NULL: there is no memory, and all stays as it was. */
static void *grow(void *array, size_t element_bytes, size_t count, size_t needed, size_t *capacity, size_t first)
{
    if (needed <= *capacity)
        return array;
    size_t larger = *capacity > 0 ? 2 * *capacity : first;
    if (larger < needed)
        larger = needed;
    void *copy = allocate_array(larger, element_bytes);
    if (copy == NULL)
        return NULL;
    if (count > 0)
        memcpy(copy, array, count * element_bytes);
    release(array);
    *capacity = larger;
    return copy;
}

/* Copies the text, which begins at *ret_offset. False: no memory. */
static bool keep_text(struct page_lines *page, const char *text, size_t most, size_t *ret_offset)
{
    const char *end = memchr(text, '\0', most - 1);
    const size_t length = end != NULL ? (size_t)(end - text) : most - 1;
    char *texts =
        grow(page->texts, 1, page->text_bytes, page->text_bytes + length + 1, &page->text_capacity, FIRST_BYTES);
    if (texts == NULL)
        return false;
    page->texts = texts;
    memcpy(texts + page->text_bytes, text, length);
    texts[page->text_bytes + length] = '\0';
    *ret_offset = page->text_bytes;
    page->text_bytes += length + 1;
    return true;
}

static void add_line(struct page_lines *page, struct page_line line, const char *label, const char *text)
{
    const struct mpilens_page_line *sizes = NULL;
    if (page->code != mqs_ok)
        return;
    struct page_line *lines =
        grow(page->lines, sizeof *lines, page->count, page->count + 1, &page->capacity, FIRST_LINES);
    if (lines != NULL)
        page->lines = lines;
    if (lines == NULL || !keep_text(page, label, sizeof sizes->label, &line.label) ||
        !keep_text(page, text, sizeof sizes->text, &line.text)) {
        page->code = MPILENS_ERROR_NO_MEMORY;
        return;
    }
    line.of_users = page->of_users;
    page->lines[page->count++] = line;
}

static void add(struct page_lines *page, struct page_line line, const char *label, const char *text)
{
    if (page->is_full)
        return;
    page->is_full = page->count >= MOST_PAGE_LINES || page->text_bytes >= MOST_PAGE_BYTES;
    if (page->is_full)
        add_line(page, (struct page_line){.depth = 0}, "...", "and more");
    else
        add_line(page, line, label, text);
}

void page_add(struct page_lines *page, uint32_t depth, const char *label, const char *text)
{
    add(page, (struct page_line){.depth = depth}, label, text);
}

void page_write(struct page_lines *page, uint32_t depth, const char *label, const char *format, ...)
{
    char text[sizeof((struct mpilens_page_line *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= 0)
        page_add(page, depth, label, text);
}

void page_add_call(struct page_lines *page, uint32_t depth, const char *label, const char *text, uint64_t site,
                   uint64_t time)
{
    add(page, (struct page_line){.depth = depth, .site = site, .time = time}, label, text);
}

void page_add_function(struct page_lines *page, const char *label, uint64_t function)
{
    if (function != 0)
        add(page, (struct page_line){.function = function}, label, "");
}

void page_add_more(struct page_lines *page, uint32_t depth)
{
    page_add(page, depth, "...", "and more");
}

struct page_name page_name(uint64_t handle, const char *name)
{
    struct page_name result;
    struct text text = text_begin(result.text, sizeof result.text);
    text_add(&text, name);
    if (handle == 0 && name[0] != '\0')
        return result;
    text_add(&text, name[0] != '\0' ? " (" : "");
    text_add_hexadecimal(&text, handle);
    text_add(&text, name[0] != '\0' ? ")" : "");
    return result;
}

void page_lines_free(struct page_lines *page)
{
    release(page->lines);
    release(page->texts);
    memset(page, 0, sizeof *page);
}
