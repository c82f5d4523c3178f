/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores groups as ranges, each once.
 */
#include "model/model.h"

#include "base/base.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int32_t world_rank_in(const struct group_range *range, int32_t place)
{
    return range->first < 0 ? -1 : (int32_t)(range->first + (int64_t)range->stride * place);
}

/* From the last member of the range to the next one; false: the range cannot go on with it. */
static bool find_stride(const struct group_range *range, int32_t world, int32_t *ret_stride)
{
    if ((range->first < 0) != (world < 0))
        return false;
    const int32_t stride = world < 0 ? 0 : world - world_rank_in(range, range->count - 1);
    if (range->count > 1 && stride != range->stride)
        return false;
    *ret_stride = stride;
    return true;
}

static struct group_range *append_range(struct group *group, int32_t world)
{
    group->ranges = arena_append(group->ranges, &group->range_count, sizeof *group->ranges);
    struct group_range *range = &group->ranges[group->range_count - 1];
    *range = (struct group_range){.first = world, .count = 1, .local = group->size};
    return range;
}

/* Appends members. The ranges are as long as can be from the first member on, in whatever pieces these come. */
static void append_members(struct group *group, int32_t first, int32_t stride, int32_t count)
{
    const struct group_range members = {.first = first, .stride = stride, .count = count};
    for (int32_t done = 0, taken; done < count; done += taken) {
        struct group_range *last = group->range_count > 0 ? &group->ranges[group->range_count - 1] : NULL;
        taken = 1;
        if (last != NULL && find_stride(last, world_rank_in(&members, done), &last->stride)) {
            taken = last->stride == stride ? count - done : 1;
            last->count += taken;
        } else {
            append_range(group, world_rank_in(&members, done));
        }
        group->size += taken;
    }
}

static int32_t lowest_in(const struct group_range *range)
{
    return range->stride < 0 ? world_rank_in(range, range->count - 1) : range->first;
}

static int32_t highest_in(const struct group_range *range)
{
    return range->stride < 0 ? range->first : world_rank_in(range, range->count - 1);
}

static int compare_lowest(const void *left_range, const void *right_range)
{
    const int32_t left = lowest_in(left_range);
    const int32_t right = lowest_in(right_range);
    return left < right ? -1 : left > right;
}

static bool do_overlap(const struct group_range *ranges, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (lowest_in(&ranges[i]) <= highest_in(&ranges[i - 1]))
            return true;
    return false;
}

/* One range for each known member of those that overlap. */
static size_t split(const struct group_range *ranges, size_t count, struct group_range *ret_single)
{
    size_t written = 0;
    for (size_t i = 0; i < count; i++)
        for (int32_t place = 0; place < ranges[i].count; place++)
            ret_single[written++] = (struct group_range){
                .first = world_rank_in(&ranges[i], place), .count = 1, .local = ranges[i].local + place};
    return written;
}

static void make_lookup(struct group *group)
{
    group->lookup = arena_allocate(group->range_count * sizeof *group->lookup);
    for (size_t i = 0; i < group->range_count; i++)
        if (group->ranges[i].first >= 0)
            group->lookup[group->lookup_count++] = group->ranges[i];
    qsort(group->lookup, group->lookup_count, sizeof *group->lookup, compare_lowest);
    if (!do_overlap(group->lookup, group->lookup_count))
        return;
    size_t known = 0;
    for (size_t i = 0; i < group->lookup_count; i++)
        known += (size_t)group->lookup[i].count;
    struct group_range *single = arena_allocate(known * sizeof *single);
    group->lookup_count = split(group->lookup, group->lookup_count, single);
    qsort(single, group->lookup_count, sizeof *single, compare_lowest);
    group->lookup = single;
}

static int compare_groups(const void *left_group, const void *right_group)
{
    const struct group *left = left_group;
    const struct group *right = right_group;
    if (left->size != right->size)
        return left->size < right->size ? -1 : 1;
    if (left->range_count != right->range_count)
        return left->range_count < right->range_count ? -1 : 1;
    return left->range_count > 0 ? memcmp(left->ranges, right->ranges, left->range_count * sizeof *left->ranges) : 0;
}

/* The pool's group that is equal to `made`, which was made in the pool's arena, after the mark. */
static const struct group *intern(struct group_pool *pool, const struct group *made, struct arena_mark mark)
{
    const struct group *found = arena_find(made, pool->root, compare_groups);
    if (found != NULL) {
        arena_release(mark);
        return found;
    }
    struct group *group = arena_allocate(sizeof *group);
    *group = *made;
    make_lookup(group);
    arena_search(group, &pool->root, compare_groups);
    return group;
}

const struct group *group_pool_add_ranks(struct group_pool *pool, const int *world_ranks, size_t count)
{
    if (count > MOST_RANKS)
        return NULL;
    struct arena *outer = arena_use(&pool->arena);
    const struct arena_mark mark = arena_mark();
    struct group made = {0};
    for (size_t i = 0; i < count; i++)
        append_members(&made, world_ranks[i] < 0 ? -1 : world_ranks[i], 0, 1);
    const struct group *group = intern(pool, &made, mark);
    arena_use(outer);
    return group;
}

static bool is_possible(const struct mpilens_rank_range *range)
{
    const int64_t last = range->first + (int64_t)range->stride * (range->count - 1);
    return range->count >= 0 && (range->count <= 1 || range->first < 0 || (last >= 0 && last <= INT32_MAX));
}

const struct group *group_pool_add_ranges(struct group_pool *pool, const struct mpilens_rank_range *ranges,
                                          size_t count)
{
    int64_t size = 0, known = 0;
    for (size_t i = 0; i < count; i++) {
        size += ranges[i].count;
        known += ranges[i].first >= 0 ? ranges[i].count : 0;
        if (!is_possible(&ranges[i]) || size > INT32_MAX || known > MOST_RANKS)
            return NULL;
    }
    struct arena *outer = arena_use(&pool->arena);
    const struct arena_mark mark = arena_mark();
    struct group made = {0};
    for (size_t i = 0; i < count; i++) {
        const bool is_known = ranges[i].first >= 0;
        append_members(&made, is_known ? ranges[i].first : -1, is_known ? ranges[i].stride : 0, ranges[i].count);
    }
    const struct group *group = intern(pool, &made, mark);
    arena_use(outer);
    return group;
}

int32_t group_world_rank(const struct group *group, int32_t local)
{
    if (group == NULL || local < 0 || local >= group->size)
        return -1;
    size_t low = 0;
    for (size_t high = group->range_count; high - low > 1;) {
        const size_t middle = low + (high - low) / 2;
        if (group->ranges[middle].local <= local)
            low = middle;
        else
            high = middle;
    }
    return world_rank_in(&group->ranges[low], local - group->ranges[low].local);
}

int32_t group_local_rank(const struct group *group, int32_t world)
{
    if (group == NULL || world < 0 || group->lookup_count == 0)
        return -1;
    size_t low = 0;
    for (size_t high = group->lookup_count; high - low > 1;) {
        const size_t middle = low + (high - low) / 2;
        if (lowest_in(&group->lookup[middle]) <= world)
            low = middle;
        else
            high = middle;
    }
    const struct group_range *range = &group->lookup[low];
    if (world < lowest_in(range) || world > highest_in(range))
        return -1;
    const int64_t distance = (int64_t)world - range->first;
    if (range->stride == 0)
        return range->local;
    return distance % range->stride == 0 ? range->local + (int32_t)(distance / range->stride) : -1;
}
