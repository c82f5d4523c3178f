/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses and formats sets of ranks.
 */
#include "base/base.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int parse_rank(const char **text, int *ret_rank)
{
    if (!isdigit((unsigned char)**text))
        return -1;
    char *end;
    const unsigned long value = strtoul(*text, &end, 10);
    if (value > INT_MAX)
        return -1;
    *text = end;
    *ret_rank = (int)value;
    return 0;
}

int rank_set_parse(struct rank_set *set, const char *text)
{
    for (;;) {
        struct rank_range range;
        if (parse_rank(&text, &range.first) != 0)
            return -1;
        range.last = range.first;
        range.stride = 1;
        if (*text == '-') {
            text++;
            if (parse_rank(&text, &range.last) != 0 || range.last < range.first)
                return -1;
            if (*text == ':' && (text++, parse_rank(&text, &range.stride) != 0 || range.stride == 0))
                return -1;
        }
        set->ranges = array_append(set->ranges, &set->count, sizeof *set->ranges);
        set->ranges[set->count - 1] = range;
        if (*text == '\0')
            return 0;
        if (*text++ != ',')
            return -1;
    }
}

bool rank_is_chosen(const struct rank_set *chosen, int rank)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->ranges[i].first <= rank && rank <= chosen->ranges[i].last &&
            (rank - chosen->ranges[i].first) % chosen->ranges[i].stride == 0)
            return true;
    return chosen->count == 0;
}

void rank_set_append(struct rank_set *set, int rank)
{
    if (set->count == 0 || set->ranges[set->count - 1].last != rank - 1) {
        set->ranges = array_append(set->ranges, &set->count, sizeof *set->ranges);
        set->ranges[set->count - 1] = (struct rank_range){.first = rank, .stride = 1};
    }
    set->ranges[set->count - 1].last = rank;
}

/* The first chosen rank from `rank` on, and up to where all are; INT64_MAX: there is none. */
static int64_t next_chosen(const struct rank_set *chosen, int64_t rank, int64_t *ret_last)
{
    int64_t next = chosen->count == 0 ? rank : INT64_MAX;
    *ret_last = INT_MAX;
    for (size_t i = 0; i < chosen->count; i++) {
        const int64_t first = chosen->ranges[i].first, stride = chosen->ranges[i].stride;
        const int64_t here = rank <= first ? first : first + (rank - first + stride - 1) / stride * stride;
        if (here > chosen->ranges[i].last || here >= next)
            continue;
        next = here;
        *ret_last = stride == 1 ? chosen->ranges[i].last : here;
    }
    return next;
}

static void append_range(struct rank_set *set, int64_t first, int64_t last)
{
    rank_set_append(set, (int)first);
    set->ranges[set->count - 1].last = (int)last;
}

/* Works range by range: ranges from others may claim any number of ranks. */
struct rank_set rank_set_keep_chosen(const struct rank_set *set, const struct rank_set *chosen)
{
    struct rank_set kept = {.count = 0};
    for (size_t i = 0; i < set->count; i++) {
        const int64_t end = set->ranges[i].last;
        int64_t last;
        for (int64_t rank = set->ranges[i].first; (rank = next_chosen(chosen, rank, &last)) <= end; rank = last + 1) {
            last = last < end ? last : end;
            append_range(&kept, rank, last);
        }
    }
    return kept;
}

size_t rank_set_size(const struct rank_set *set)
{
    size_t size = 0;
    for (size_t i = 0; i < set->count; i++)
        size += (size_t)((set->ranges[i].last - set->ranges[i].first) / set->ranges[i].stride) + 1;
    return size;
}

void rank_set_clear(struct rank_set *set)
{
    free(set->ranges);
    *set = (struct rank_set){0};
}

const char *format_rank_set(const struct rank_set *set)
{
    size_t left = rank_set_size(set);
    if (left == 1)
        return arena_text("%d", set->ranges[0].first);
    FILE *stream = arena_open();
    fputc('[', stream);
    for (size_t i = 0; i < set->count && i < MOST_SHOWN_RANGES; i++) {
        const struct rank_range *range = &set->ranges[i];
        fprintf(stream, "%s%d", i == 0 ? "" : ",", range->first);
        if (range->last > range->first)
            fprintf(stream, "-%d", range->last);
        left -= (size_t)(range->last - range->first) + 1;
    }
    if (left > 0)
        fprintf(stream, ",+%zu more", left);
    fputc(']', stream);
    return arena_close(stream);
}
