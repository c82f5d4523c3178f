/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sets of ranks as people write them.
 */
#include "rank_set.h"

#include "allocation.h"

#include <ctype.h>
#include <limits.h>
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
        if (*text == '-') {
            text++;
            if (parse_rank(&text, &range.last) != 0 || range.last < range.first)
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

bool rank_set_contains(const struct rank_set *set, int rank)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->ranges[i].first <= rank && rank <= set->ranges[i].last)
            return true;
    return set->count == 0;
}

void rank_set_clear(struct rank_set *set)
{
    free(set->ranges);
    *set = (struct rank_set){0};
}

char *format_ranks(const int *ranks, size_t count)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return copy_text("?");
    if (count != 1)
        fputc('[', stream);
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && ranks[end] == ranks[end - 1] + 1)
            end++;
        fprintf(stream, "%s%d", i == 0 ? "" : ",", ranks[i]);
        if (end - i > 1)
            fprintf(stream, "%c%d", end - i > 2 ? '-' : ',', ranks[end - 1]);
        i = end;
    }
    if (count != 1)
        fputc(']', stream);
    fclose(stream);
    return text;
}
