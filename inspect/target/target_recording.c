/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records the answers of a target. Memory is kept in pages with a bit for each byte that is known.
 */
#include "target/target.h"

#include "base/base.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096 };
static const uint8_t zeros[PAGE_BYTES];

struct recorded_page {
    uint64_t number;
    uint8_t known[PAGE_BYTES / 8];
    uint8_t *bytes; /* NULL: all known bytes are zero, as in memory that was never written */
};

struct recorded_symbol {
    char *name;
    uint64_t address;
};

struct target_recording {
    void *page_tree; /* tsearch tree of the pages */
    struct recorded_page **pages;
    size_t page_count;
    struct recorded_symbol *symbols;
    size_t symbol_count;
    void *place_tree; /* tsearch tree of the places */
    uint64_t **places;
    size_t place_count;
    struct tick_clock clock;
};

struct target_recording *target_recording_create(void)
{
    return allocate(sizeof(struct target_recording));
}

static void keep(void *node)
{
    (void)node; /* the arrays have them too */
}

void target_recording_destroy(struct target_recording *recording)
{
    if (recording == NULL)
        return;
    tdestroy(recording->page_tree, keep);
    tdestroy(recording->place_tree, keep);
    for (size_t i = 0; i < recording->page_count; i++) {
        free(recording->pages[i]->bytes);
        free(recording->pages[i]);
    }
    for (size_t i = 0; i < recording->place_count; i++)
        free(recording->places[i]);
    for (size_t i = 0; i < recording->symbol_count; i++)
        free(recording->symbols[i].name);
    free(recording->pages);
    free(recording->places);
    free(recording->symbols);
    free(recording);
}

static int compare_numbers(const void *left_number, const void *right_number)
{
    const uint64_t left = *(const uint64_t *)left_number;
    const uint64_t right = *(const uint64_t *)right_number;
    return left < right ? -1 : left > right;
}

static struct recorded_page *find_page(struct target_recording *recording, uint64_t number)
{
    struct recorded_page *const *found = tfind(&number, &recording->page_tree, compare_numbers);
    if (found != NULL)
        return *found;
    struct recorded_page *page = allocate(sizeof *page);
    page->number = number;
    tsearch(page, &recording->page_tree, compare_numbers);
    recording->pages = array_append(recording->pages, &recording->page_count, sizeof(struct recorded_page *));
    recording->pages[recording->page_count - 1] = page;
    return page;
}

static void mark_known(struct recorded_page *page, size_t first, size_t count)
{
    size_t i = first;
    for (; i < first + count && i % 8 != 0; i++)
        page->known[i / 8] |= (uint8_t)(1u << i % 8);
    const size_t whole = (first + count - i) / 8;
    if (i < first + count)
        memset(page->known + i / 8, 0xff, whole);
    for (i += whole * 8; i < first + count; i++)
        page->known[i / 8] |= (uint8_t)(1u << i % 8);
}

static void put_bytes(struct recorded_page *page, size_t inside, const void *bytes, size_t count)
{
    if (page->bytes == NULL && memcmp(bytes, zeros, count) != 0)
        page->bytes = allocate(PAGE_BYTES);
    if (page->bytes != NULL)
        memcpy(page->bytes + inside, bytes, count);
}

void target_recording_add_memory(struct target_recording *recording, uint64_t address, const void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const size_t inside = (size_t)((address + done) % PAGE_BYTES);
        const size_t part = count - done < PAGE_BYTES - inside ? count - done : PAGE_BYTES - inside;
        struct recorded_page *page = find_page(recording, (address + done) / PAGE_BYTES);
        put_bytes(page, inside, (const char *)bytes + done, part);
        mark_known(page, inside, part);
        done += part;
    }
}

void target_recording_add_symbol(struct target_recording *recording, const char *name, uint64_t address)
{
    for (size_t i = 0; i < recording->symbol_count; i++)
        if (strcmp(recording->symbols[i].name, name) == 0)
            return;
    recording->symbols = array_append(recording->symbols, &recording->symbol_count, sizeof *recording->symbols);
    recording->symbols[recording->symbol_count - 1] = (struct recorded_symbol){copy_text(name), address};
}

void target_recording_add_place(struct target_recording *recording, uint64_t address)
{
    if (tfind(&address, &recording->place_tree, compare_numbers) != NULL)
        return;
    uint64_t *place = allocate(sizeof *place);
    *place = address;
    tsearch(place, &recording->place_tree, compare_numbers);
    recording->places = array_append(recording->places, &recording->place_count, sizeof(uint64_t *));
    recording->places[recording->place_count - 1] = place;
}

void target_recording_set_clock(struct target_recording *recording, const struct tick_clock *clock)
{
    recording->clock = *clock;
}

const struct tick_clock *target_recording_clock(const struct target_recording *recording)
{
    return &recording->clock;
}

/* --- what was recorded --- */

static int compare_pages(const void *left, const void *right)
{
    return compare_numbers(&(*(struct recorded_page *const *)left)->number,
                           &(*(struct recorded_page *const *)right)->number);
}

static bool is_known(const struct recorded_page *page, size_t place)
{
    return (page->known[place / 8] >> place % 8 & 1) != 0;
}

/* A range that grows until it cannot go on. */
struct range {
    uint64_t address;
    uint8_t *bytes;
    size_t count;
    int (*visit)(void *context, uint64_t address, const void *bytes, size_t count);
    void *context;
};

static int end_range(struct range *range)
{
    const int result = range->count > 0 ? range->visit(range->context, range->address, range->bytes, range->count) : 0;
    range->count = 0;
    return result;
}

static int extend_range(struct range *range, uint64_t address, const uint8_t *bytes, size_t count)
{
    if (range->count > 0 &&
        (range->address + range->count != address || range->count + count > TARGET_RECORDING_RANGE)) {
        const int result = end_range(range);
        if (result != 0)
            return result;
    }
    if (range->count == 0)
        range->address = address;
    memcpy(range->bytes + range->count, bytes, count);
    range->count += count;
    return 0;
}

static int add_page(struct range *range, const struct recorded_page *page)
{
    int result = 0;
    for (size_t first = 0, end; result == 0 && first < PAGE_BYTES; first = end) {
        for (; first < PAGE_BYTES && !is_known(page, first);)
            first++;
        for (end = first; end < PAGE_BYTES && is_known(page, end);)
            end++;
        if (first < end)
            result = extend_range(range, page->number * PAGE_BYTES + first,
                                  page->bytes != NULL ? page->bytes + first : zeros, end - first);
    }
    return result;
}

int target_recording_for_each_range(struct target_recording *recording,
                                    int (*visit)(void *context, uint64_t address, const void *bytes, size_t count),
                                    void *context)
{
    struct range range = {.visit = visit, .context = context, .bytes = allocate(TARGET_RECORDING_RANGE)};
    int result = 0;
    if (recording->page_count > 1)
        qsort(recording->pages, recording->page_count, sizeof(struct recorded_page *), compare_pages);
    for (size_t i = 0; result == 0 && i < recording->page_count; i++)
        result = add_page(&range, recording->pages[i]);
    if (result == 0)
        result = end_range(&range);
    free(range.bytes);
    return result;
}

int target_recording_for_each_symbol(const struct target_recording *recording,
                                     int (*visit)(void *context, const char *name, uint64_t address), void *context)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < recording->symbol_count; i++)
        result = visit(context, recording->symbols[i].name, recording->symbols[i].address);
    return result;
}

int target_recording_for_each_place(const struct target_recording *recording,
                                    int (*visit)(void *context, uint64_t address), void *context)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < recording->place_count; i++)
        result = visit(context, *recording->places[i]);
    return result;
}
