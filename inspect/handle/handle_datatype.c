/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes how a datatype was made, and writes out its type map.
 */
#include "handle/handle_datatype.h"
#include "base/allocation.h"
#include "handle/handle_describe.h"
#include "words/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t argument(const struct handle_datatype *datatype, size_t index)
{
    return index < datatype->argument_count ? datatype->arguments[index] : -1;
}

/* What its blocks are made of: "MPI_DOUBLE". */
static char *name_part(const struct handle_datatype *datatype)
{
    if (datatype->part_count == 0)
        return copy_text("?");
    const struct handle_datatype *part = &datatype->parts[0];
    return handle_describe_name(part->object.predefined ? 0 : part->object.handle, part->object.name);
}

/* A list of numbers in the arguments: "[2,3]". */
static char *list(const struct handle_datatype *datatype, size_t first, int64_t count)
{
    enum { MOST_SHOWN = 8 };
    char *text = copy_text("[");
    for (int64_t i = 0; i < count && i < MOST_SHOWN; i++) {
        char *longer = format_text("%s%s%" PRId64, text, i > 0 ? "," : "", argument(datatype, first + (size_t)i));
        free(text);
        text = longer;
    }
    char *whole = format_text("%s%s]", text, count > MOST_SHOWN ? ",..." : "");
    free(text);
    return whole;
}

/* Blocks of different lengths: count, lengths[count], displacements[count]. */
static char *describe_blocks(const struct handle_datatype *datatype, const char *part)
{
    const int64_t count = argument(datatype, 0);
    char *lengths = list(datatype, 1, count);
    char *displacements = list(datatype, (size_t)(count + 1), count);
    const bool in_bytes = datatype->contents.combiner == MPILENS_COMBINER_HINDEXED;
    char *text = format_text("%s of %" PRId64 " blocks of %s x %s at %s%s", datatype->combiner, count, lengths, part,
                             displacements, in_bytes ? " bytes" : "");
    free(lengths);
    free(displacements);
    return text;
}

/* Blocks of one length: count, length, displacements[count]. */
static char *describe_equal_blocks(const struct handle_datatype *datatype, const char *part)
{
    char *displacements = list(datatype, 2, argument(datatype, 0));
    const bool in_bytes = datatype->contents.combiner == MPILENS_COMBINER_HINDEXED_BLOCK;
    char *text =
        format_text("%s of %" PRId64 " blocks of %" PRId64 " x %s at %s%s", datatype->combiner, argument(datatype, 0),
                    argument(datatype, 1), part, displacements, in_bytes ? " bytes" : "");
    free(displacements);
    return text;
}

static char *describe_subarray(const struct handle_datatype *datatype, const char *part)
{
    const int64_t count = argument(datatype, 0);
    const size_t step = count > 0 ? (size_t)count : 0;
    char *sizes = list(datatype, 1, count);
    char *parts = list(datatype, 1 + step, count);
    char *starts = list(datatype, 1 + 2 * step, count);
    char *text = format_text("subarray %s of %s from %s of %s", parts, sizes, starts, part);
    free(sizes);
    free(parts);
    free(starts);
    return text;
}

char *handle_describe_constructor(const struct handle_datatype *datatype)
{
    if (!datatype->has_contents || datatype->contents.combiner == MPILENS_COMBINER_UNKNOWN)
        return copy_text("constructor not known");
    if (datatype->contents.combiner == MPILENS_COMBINER_NAMED)
        return copy_text("predefined");
    char *part = name_part(datatype);
    char *text;
    const int64_t first = argument(datatype, 0), second = argument(datatype, 1), third = argument(datatype, 2);
    const char *combiner = datatype->combiner;
    switch (datatype->contents.combiner) {
    case MPILENS_COMBINER_DUP:
        text = format_text("duplicate of %s", part);
        break;
    case MPILENS_COMBINER_CONTIGUOUS:
        text = format_text("%s, %" PRId64 " x %s", combiner, first, part);
        break;
    case MPILENS_COMBINER_VECTOR:
        text = format_text("vector of %" PRId64 " blocks of %" PRId64 " x %s, stride %" PRId64, first, second, part,
                           third);
        break;
    case MPILENS_COMBINER_HVECTOR:
        text = format_text("hvector of %" PRId64 " blocks of %" PRId64 " x %s, stride %" PRId64 " bytes", first, second,
                           part, third);
        break;
    case MPILENS_COMBINER_INDEXED:
    case MPILENS_COMBINER_HINDEXED:
        text = describe_blocks(datatype, part);
        break;
    case MPILENS_COMBINER_INDEXED_BLOCK:
    case MPILENS_COMBINER_HINDEXED_BLOCK:
        text = describe_equal_blocks(datatype, part);
        break;
    case MPILENS_COMBINER_STRUCT:
        text = format_text("struct of %" PRId64 " blocks", first);
        break;
    case MPILENS_COMBINER_SUBARRAY:
        text = describe_subarray(datatype, part);
        break;
    case MPILENS_COMBINER_DARRAY:
        text = format_text("darray of %s, part %" PRId64 " of %" PRId64, part, second, first);
        break;
    case MPILENS_COMBINER_F90_REAL:
    case MPILENS_COMBINER_F90_COMPLEX:
        text = format_text("%s of precision %" PRId64 ", range %" PRId64, combiner, first, second);
        break;
    case MPILENS_COMBINER_F90_INTEGER:
        text = format_text("%s of range %" PRId64, combiner, first);
        break;
    case MPILENS_COMBINER_RESIZED:
        text = format_text("resized %s, lower bound %" PRId64 ", extent %" PRId64, part, first, second);
        break;
    default:
        text = copy_text(combiner);
    }
    free(part);
    return text;
}

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
