/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects ranks in any order, then sorts them.
 */
#include "base/base.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void ranks_add(struct ranks *ranks, int rank)
{
    if (rank < 0 || (ranks->count > 0 && ranks->items[ranks->count - 1] == rank))
        return;
    ranks->items = arena_append(ranks->items, &ranks->count, sizeof *ranks->items);
    ranks->items[ranks->count - 1] = rank;
}

void ranks_add_all(struct ranks *ranks, const struct ranks *others)
{
    for (size_t i = 0; i < others->count; i++)
        ranks_add(ranks, others->items[i]);
}

static int compare_ranks(const void *left_rank, const void *right_rank)
{
    const int left = *(const int *)left_rank, right = *(const int *)right_rank;
    return left < right ? -1 : left > right;
}

static bool is_ascending(const struct ranks *ranks)
{
    for (size_t i = 1; i < ranks->count; i++)
        if (ranks->items[i - 1] >= ranks->items[i])
            return false;
    return true;
}

void ranks_finish(struct ranks *ranks)
{
    if (is_ascending(ranks))
        return;
    qsort(ranks->items, ranks->count, sizeof *ranks->items, compare_ranks);
    size_t last = 0;
    for (size_t i = 1; i < ranks->count; i++)
        if (ranks->items[i] != ranks->items[last])
            ranks->items[++last] = ranks->items[i];
    ranks->count = last + 1;
}

bool ranks_has(const struct ranks *ranks, int rank)
{
    return ranks->count > 0 && bsearch(&rank, ranks->items, ranks->count, sizeof *ranks->items, compare_ranks) != NULL;
}

int ranks_first(const struct ranks *ranks)
{
    return ranks->count > 0 ? ranks->items[0] : -1;
}

/* How many of the ranks from the first on are worth writing as a range. */
static size_t progression(const int *ranks, size_t count)
{
    size_t length = 1;
    while (length < count && (int64_t)ranks[length] - ranks[length - 1] == (int64_t)ranks[1] - ranks[0])
        length++;
    const bool dense = length > 2 && ranks[1] - ranks[0] == 1;
    return dense || length > 3 ? length : 1;
}

/* Writes the first ranges; returns how many ranks these have. */
static size_t write_ranges(FILE *stream, const struct ranks *ranks, size_t most)
{
    const int *items = ranks->items;
    size_t i = 0;
    for (size_t ranges = 0; i < ranks->count && ranges < most; ranges++) {
        const size_t length = progression(items + i, ranks->count - i);
        const int stride = length > 1 ? items[i + 1] - items[i] : 1;
        fprintf(stream, "%s%d", i == 0 ? "" : ",", items[i]);
        if (length > 1)
            fprintf(stream, "-%d", items[i + length - 1]);
        if (stride > 1)
            fprintf(stream, ":%d", stride);
        i += length;
    }
    return i;
}

const char *ranks_text(const struct ranks *ranks)
{
    if (ranks->count < 2)
        return ranks->count == 1 ? arena_text("%d", ranks->items[0]) : "?";
    FILE *stream = arena_open();
    fputc('[', stream);
    const size_t written = write_ranges(stream, ranks, MOST_SHOWN_RANGES);
    if (written < ranks->count)
        fprintf(stream, ",+%zu more", ranks->count - written);
    fputc(']', stream);
    return arena_close(stream);
}

const char *ranks_list(const struct ranks *ranks)
{
    FILE *stream = arena_open();
    write_ranges(stream, ranks, SIZE_MAX);
    return arena_close(stream);
}

const char *ranks_name(const struct ranks *ranks)
{
    const char *numbers = ranks_text(ranks);
    return arena_text("%s %s", ranks->count > 1 ? "ranks" : "rank", numbers);
}
