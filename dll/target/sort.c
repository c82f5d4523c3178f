/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorts with a bottom-up merge sort. Runs that are in order already cost one comparison each.
 */
#include "target/target.h"

#include "mpilens/extension.h"

#include <stdbool.h>
#include <string.h>

static bool comes_after(const struct sort_entry *a, const struct sort_entry *b)
{
    if (a->major != b->major)
        return a->major > b->major;
    if (a->middle != b->middle)
        return a->middle > b->middle;
    return a->minor > b->minor;
}

/* Merges [low, middle) and [middle, high) of `from` into the same places of `into`. */
static void merge(const struct sort_entry *from, struct sort_entry *into, size_t low, size_t middle, size_t high)
{
    size_t left = low;
    size_t right = middle;
    if (middle >= high || !comes_after(&from[middle - 1], &from[middle])) {
        memcpy(&into[low], &from[low], (high - low) * sizeof *from);
        return;
    }
    for (size_t i = low; i < high; i++) {
        bool take_right = left == middle || (right < high && comes_after(&from[left], &from[right]));
        into[i] = take_right ? from[right++] : from[left++];
    }
}

static bool is_sorted(const struct sort_entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (comes_after(&entries[i - 1], &entries[i]))
            return false;
    return true;
}

int sort_entries(struct sort_entry *entries, size_t count)
{
    if (is_sorted(entries, count))
        return mqs_ok;
    struct sort_entry *other = allocate_array(count, sizeof *other);
    if (other == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    struct sort_entry *from = entries;
    struct sort_entry *into = other;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t high = low + 2 * width < count ? low + 2 * width : count;
            merge(from, into, low, middle, high);
        }
        struct sort_entry *sorted = into;
        into = from;
        from = sorted;
    }
    if (from != entries)
        memcpy(entries, from, count * sizeof *entries);
    release(other);
    return mqs_ok;
}

size_t sorted_place(const struct sort_entry *entries, size_t count, uint64_t major)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries[middle].major < major)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const void *sorted_item(const struct sort_entry *entries, size_t count, uint64_t major)
{
    const size_t place = sorted_place(entries, count, major);
    return place < count && entries[place].major == major ? entries[place].item : NULL;
}
