/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks up names of hosts by bisection.
 */
#include "engine/engine.h"

#include "base/base.h"
#include "discover/discover.h"

#include <stdlib.h>
#include <string.h>

/* By the name without domain, which is alike in names that may mean the same. */
static int compare_short(const char *left, const char *right)
{
    const size_t left_bytes = strcspn(left, "."), right_bytes = strcspn(right, ".");
    const int order = memcmp(left, right, left_bytes < right_bytes ? left_bytes : right_bytes);
    return order != 0 ? order : left_bytes < right_bytes ? -1 : left_bytes > right_bytes;
}

static int compare_indexed(const void *left_place, const void *right_place, void *names)
{
    const size_t left = *(const size_t *)left_place, right = *(const size_t *)right_place;
    const int order = compare_short(((const char **)names)[left], ((const char **)names)[right]);
    return order != 0 ? order : left < right ? -1 : left > right;
}

struct host_index host_index_make(const struct host_list *list)
{
    struct host_index index = {.list = list, .places = arena_allocate(list->count * sizeof *index.places)};
    for (size_t i = 0; i < list->count; i++)
        index.places[i] = i;
    if (list->count > 1)
        qsort_r(index.places, list->count, sizeof *index.places, compare_indexed, list->names);
    return index;
}

size_t host_index_find(const struct host_index *index, const char *name)
{
    const size_t count = index->list->count;
    size_t first = 0, found = count;
    for (size_t end = count; first < end;) {
        const size_t middle = first + (end - first) / 2;
        if (compare_short(index->list->names[index->places[middle]], name) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < count; first++) {
        const char *candidate = index->list->names[index->places[first]];
        if (compare_short(candidate, name) != 0)
            break;
        if (strcmp(candidate, name) == 0)
            return index->places[first];
        if (found == count && is_same_host(candidate, name))
            found = index->places[first];
    }
    return found;
}
