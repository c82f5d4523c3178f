/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes out the type map of a datatype and finds its holes.
 */
#include "handle/handle_datatype.h"

#include "base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* base + index * stride; false: that is no number that a datatype has. */
static bool element_at(int64_t base, int64_t index, int64_t stride, int64_t *ret_displacement)
{
    int64_t distance;
    return !__builtin_mul_overflow(index, stride, &distance) &&
           !__builtin_add_overflow(base, distance, ret_displacement);
}

/* Some more elements; joined with those before where they are side by side. False: there is no room, or there cannot be
 * so many. */
static bool add_run(struct handle_type_run *runs, size_t *count, size_t capacity,
                    const struct mpilens_type_map_entry *entry, int64_t displacement, int64_t elements)
{
    struct handle_type_run *last = *count > 0 ? &runs[*count - 1] : NULL;
    int64_t bytes, joined;
    if (!element_at(0, elements, entry->basic_size, &bytes))
        return false;
    if (last != NULL && last->displacement + last->bytes == displacement && strcmp(last->basic, entry->basic) == 0 &&
        element_at(last->bytes, 1, bytes, &joined)) {
        last->count += elements;
        last->bytes = joined;
        return true;
    }
    if (*count == capacity)
        return false;
    runs[(*count)++] = (struct handle_type_run){
        .basic = entry->basic, .displacement = displacement, .count = elements, .bytes = bytes};
    return true;
}

/* Adds one entry; false: there is no room for all of it. */
static bool expand_entry(const struct mpilens_type_map_entry *entry, struct handle_type_run *runs, size_t *count,
                         size_t capacity)
{
    int64_t bytes, end, all, start = entry->displacement, repeats = entry->repeat, elements = entry->count;
    if (entry->basic_size <= 0 || entry->count <= 0 || entry->repeat <= 0)
        return true; /* no bytes */
    if (!element_at(0, entry->count, entry->basic_size, &bytes) || !element_at(start, 1, bytes, &end))
        return false;
    const bool is_row = entry->stride == entry->basic_size || entry->count == 1;
    if (is_row && entry->repeat_stride == bytes) { /* one row of rows */
        if (!element_at(0, elements, repeats, &all) || !element_at(start, all, entry->basic_size, &end))
            return false;
        elements = all;
        repeats = 1;
    }
    for (int64_t j = 0; j < repeats; j++) {
        if (!element_at(entry->displacement, j, entry->repeat_stride, &start) || !element_at(start, 1, bytes, &end))
            return false;
        if (is_row && !add_run(runs, count, capacity, entry, start, elements))
            return false;
        for (int64_t k = 0; !is_row && k < entry->count; k++) {
            int64_t displacement;
            if (!element_at(start, k, entry->stride, &displacement) ||
                !element_at(displacement, 1, entry->basic_size, &end) ||
                !add_run(runs, count, capacity, entry, displacement, 1))
                return false;
        }
    }
    return true;
}

size_t handle_expand_type_map(const struct handle_type_map *map, struct handle_type_run *ret_runs, size_t capacity,
                              bool *ret_cut)
{
    size_t count = 0;
    *ret_cut = map->is_cut;
    for (size_t i = 0; i < map->count; i++)
        if (!expand_entry(&map->entries[i], ret_runs, &count, capacity)) {
            *ret_cut = true;
            break;
        }
    return count;
}

static int compare_runs(const void *left_run, const void *right_run)
{
    const struct handle_type_run *left = left_run;
    const struct handle_type_run *right = right_run;
    return left->displacement < right->displacement ? -1 : left->displacement > right->displacement;
}

struct handle_hole *handle_find_holes(const struct handle_datatype *datatype, const struct handle_type_run *runs,
                                      size_t run_count, size_t *ret_count)
{
    *ret_count = 0;
    int64_t upper_bound;
    if (!datatype->has_contents || datatype->information.size < 0 ||
        !element_at(datatype->contents.lower_bound, 1, datatype->contents.extent, &upper_bound))
        return NULL;
    struct handle_type_run *sorted = allocate((run_count + 1) * sizeof *sorted);
    struct handle_hole *holes = allocate((run_count + 1) * sizeof *holes);
    for (size_t i = 0; i < run_count; i++)
        sorted[i] = runs[i];
    qsort(sorted, run_count, sizeof *sorted, compare_runs);
    int64_t covered = datatype->contents.lower_bound;
    for (size_t i = 0; i <= run_count; i++) {
        const int64_t next =
            i < run_count && sorted[i].displacement < upper_bound ? sorted[i].displacement : upper_bound;
        if (next > covered)
            holes[(*ret_count)++] = (struct handle_hole){.displacement = covered, .bytes = next - covered};
        if (i < run_count && sorted[i].displacement + sorted[i].bytes > covered)
            covered = sorted[i].displacement + sorted[i].bytes;
        if (next == upper_bound)
            break;
    }
    free(sorted);
    return holes;
}
