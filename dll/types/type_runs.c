/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes out type maps and finds holes.
 */
#include "types/types.h"

#include "target/target.h"

/* Only the beginning of a longer type map is written out. */
enum { MOST_ENTRIES = 1 << 12 };

/* base + index * stride; false: that is no number that a datatype has. */
static bool element_at(int64_t base, int64_t index, int64_t stride, int64_t *ret_displacement)
{
    int64_t distance;
    return !__builtin_mul_overflow(index, stride, &distance) &&
           !__builtin_add_overflow(base, distance, ret_displacement);
}

static bool add_elements(struct element_run *runs, size_t *count, size_t capacity, const struct mpilens_datatype *basic,
                         int64_t displacement, int64_t elements)
{
    struct element_run *last = *count > 0 ? &runs[*count - 1] : NULL;
    int64_t bytes, joined;
    if (!element_at(0, elements, basic->size, &bytes))
        return false;
    if (last != NULL && last->displacement + last->bytes == displacement && last->basic == basic &&
        element_at(last->bytes, 1, bytes, &joined)) {
        last->count += elements;
        last->bytes = joined;
        return true;
    }
    if (*count == capacity)
        return false;
    runs[(*count)++] =
        (struct element_run){.basic = basic, .displacement = displacement, .count = elements, .bytes = bytes};
    return true;
}

bool element_runs_add(struct element_run *runs, size_t *count, size_t capacity, const struct type_run *run)
{
    const struct mpilens_datatype *basic = run->basic;
    int64_t bytes, end, all, start = run->displacement, repeats = run->repeat, elements = run->count;
    if (basic->size <= 0 || run->count <= 0 || run->repeat <= 0)
        return true; /* no bytes */
    if (!element_at(0, run->count, basic->size, &bytes) || !element_at(start, 1, bytes, &end))
        return false;
    const bool is_row = run->stride == basic->size || run->count == 1;
    if (is_row && run->repeat_stride == bytes) { /* one row of rows */
        if (!element_at(0, elements, repeats, &all) || !element_at(start, all, basic->size, &end))
            return false;
        elements = all;
        repeats = 1;
    }
    for (int64_t j = 0; j < repeats; j++) {
        if (!element_at(run->displacement, j, run->repeat_stride, &start) || !element_at(start, 1, bytes, &end))
            return false;
        if (is_row && !add_elements(runs, count, capacity, basic, start, elements))
            return false;
        for (int64_t k = 0; !is_row && k < run->count; k++) {
            int64_t displacement;
            if (!element_at(start, k, run->stride, &displacement) || !element_at(displacement, 1, basic->size, &end) ||
                !add_elements(runs, count, capacity, basic, displacement, 1))
                return false;
        }
    }
    return true;
}

int element_runs_get(const struct type_source *source, const struct mpilens_datatype *datatype,
                     struct element_run *ret_runs, size_t capacity, size_t *ret_count, bool *ret_is_cut)
{
    struct type_map *map = allocate_array(1, sizeof *map);
    struct type_run run;
    size_t count = 0;
    bool is_cut = false;
    if (map == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    type_map_begin(map, source, datatype);
    int code = type_map_next(map, &run);
    for (size_t i = 0; code == mqs_ok && !is_cut; i++) {
        is_cut = i == MOST_ENTRIES || !element_runs_add(ret_runs, &count, capacity, &run);
        if (!is_cut)
            code = type_map_next(map, &run);
    }
    type_map_free(map);
    release(map);
    if (code != mqs_ok && code != mqs_end_of_list)
        return code;
    *ret_count = count;
    *ret_is_cut = is_cut;
    return mqs_ok;
}

/* Sorts by signed numbers. */
static uint64_t order_of(int64_t displacement)
{
    return (uint64_t)displacement ^ UINT64_C(1) << 63;
}

/* `entries`: the runs, sorted. */
static size_t add_holes(int64_t covered, int64_t upper_bound, const struct sort_entry *entries, size_t count,
                        struct mpilens_type_hole *ret_holes)
{
    size_t holes = 0;
    for (size_t i = 0; i < count && covered < upper_bound; i++) {
        const struct element_run *run = entries[i].item;
        const int64_t next = run->displacement < upper_bound ? run->displacement : upper_bound;
        if (next > covered)
            ret_holes[holes++] = (struct mpilens_type_hole){.displacement = covered, .bytes = next - covered};
        if (run->displacement + run->bytes > covered)
            covered = run->displacement + run->bytes;
    }
    if (upper_bound > covered)
        ret_holes[holes++] = (struct mpilens_type_hole){.displacement = covered, .bytes = upper_bound - covered};
    return holes;
}

int type_holes_find(const struct mpilens_datatype *datatype, const struct element_run *runs, size_t count,
                    struct mpilens_type_hole *ret_holes, size_t *ret_count)
{
    int64_t upper_bound;
    if (datatype->size < 0 || !element_at(datatype->lower_bound, 1, datatype->extent, &upper_bound))
        return mqs_no_information;
    struct sort_entry *entries = allocate_array(count + 1, sizeof *entries);
    if (entries == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct sort_entry){.major = order_of(runs[i].displacement), .item = &runs[i]};
    const int code = count > 0 ? sort_entries(entries, count) : mqs_ok;
    if (code == mqs_ok)
        *ret_count = add_holes(datatype->lower_bound, upper_bound, entries, count, ret_holes);
    release(entries);
    return code;
}

static int find_holes(const struct type_source *source, const struct mpilens_datatype *datatype,
                      struct element_run *runs, struct mpilens_type_hole *ret_holes, size_t *ret_count,
                      bool *ret_is_cut)
{
    size_t run_count = 0;
    int code = element_runs_get(source, datatype, runs, MOST_ELEMENT_RUNS, &run_count, ret_is_cut);
    if (code == mqs_ok)
        code = type_holes_find(datatype, runs, run_count, ret_holes, ret_count);
    if (code == mqs_ok && *ret_is_cut && *ret_count > 0)
        --*ret_count; /* the data behind the last run is not known */
    return code;
}

int type_holes_get(const struct type_source *source, const struct mpilens_datatype *datatype,
                   struct mpilens_type_hole *ret_holes, size_t capacity, size_t *ret_count, bool *ret_is_cut)
{
    struct element_run *runs = allocate_array(MOST_ELEMENT_RUNS, sizeof *runs);
    struct mpilens_type_hole *holes = allocate_array(MOST_ELEMENT_RUNS + 1, sizeof *holes);
    size_t count = 0;
    bool is_cut = false;
    const int code = runs != NULL && holes != NULL ? find_holes(source, datatype, runs, holes, &count, &is_cut)
                                                   : MPILENS_ERROR_NO_MEMORY;
    if (code == mqs_ok) {
        *ret_count = count < capacity ? count : capacity;
        *ret_is_cut = is_cut || count > capacity;
        for (size_t i = 0; i < *ret_count; i++)
            ret_holes[i] = holes[i];
    }
    release(runs);
    release(holes);
    return code;
}
