/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Group records.
 */
#include "group.h"

#include "functions.h"
#include "memory.h"
#include "object.h"
#include "table.h"
#include "world_group.h"

#include <string.h>

static uint32_t group_count;

uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash ^= value + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
    hash *= UINT64_C(0xff51afd7ed558ccd);
    return hash ^ (hash >> 32);
}

uint64_t group_hash(const struct mpilens_range *ranges, size_t count)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < count; i++) {
        hash = hash_mix(hash, (uint64_t)(uint32_t)ranges[i].first);
        hash = hash_mix(hash, (uint64_t)(uint32_t)ranges[i].stride);
        hash = hash_mix(hash, (uint64_t)(uint32_t)ranges[i].count);
    }
    return hash ? hash : 1;
}

/* Whether the range that `place - 1` is in goes on at `place`; not from known ranks to unknown ones. */
static bool range_goes_on(const int *world_ranks, size_t place, int32_t stride)
{
    return world_ranks[place] - world_ranks[place - 1] == stride &&
           (world_ranks[place] < 0) == (world_ranks[place - 1] < 0);
}

size_t group_compress(const int *world_ranks, size_t count, struct mpilens_range *ret_ranges, size_t capacity)
{
    size_t ranges = 0;
    for (size_t i = 0; i < count;) {
        struct mpilens_range range = {.first = world_ranks[i], .stride = 0, .count = 1};
        size_t end = i + 1;
        if (end < count) {
            range.stride = world_ranks[end] - world_ranks[i];
            while (end < count && range_goes_on(world_ranks, end, range.stride))
                end++;
        }
        /* Two that happen to stand side by side are a range only if nothing follows: the second may begin a longer one.
         */
        if (end == i + 2 && end < count && range.stride != 0)
            end = i + 1;
        if (end == i + 1)
            range.stride = 0;
        range.count = (int32_t)(end - i);
        if (ranges < capacity)
            ret_ranges[ranges] = range;
        ranges++;
        i = end;
    }
    return ranges;
}

static struct mpilens_group *group_publish(struct mpilens_group *group)
{
    const struct mpilens_range *ranges = (const struct mpilens_range *)(uintptr_t)group->ranges;
    group->hash = group_hash(ranges, group->range_count);
    object_begin((struct object *)group, 0, 0, 0, 0, &group_count);
    group->references = 0;
    group->users = 1;
    __atomic_store_n(&group->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    return group;
}

struct mpilens_group *group_of_range(int32_t first, int32_t size, int32_t rank)
{
    struct mpilens_group *group = table_take_one(MPILENS_TABLE_GROUPS);
    if (!group)
        return NULL;
    group->size = size;
    group->rank = rank;
    group->range_count = 1;
    group->short_ranges[0] = (struct mpilens_range){.first = first, .stride = size > 1 && first >= 0, .count = size};
    group->ranges = (uint64_t)(uintptr_t)group->short_ranges;
    return group_publish(group);
}

static size_t ranges_bytes(size_t count)
{
    return count * sizeof(struct mpilens_range);
}

static struct mpilens_group *group_of_world_ranks(const int *world_ranks, int size, int rank)
{
    struct mpilens_group *group = table_take_one(MPILENS_TABLE_GROUPS);
    if (!group)
        return NULL;
    const size_t short_count = sizeof group->short_ranges / sizeof group->short_ranges[0];
    struct mpilens_range *ranges = group->short_ranges;
    size_t count = group_compress(world_ranks, (size_t)size, ranges, short_count);
    if (count > short_count) {
        ranges = memory_map(ranges_bytes(count));
        if (!ranges) {
            table_give_back(MPILENS_TABLE_GROUPS, (void *const[]){group}, 1);
            return NULL;
        }
        group_compress(world_ranks, (size_t)size, ranges, count);
    }
    group->size = size;
    group->rank = rank == MPI_UNDEFINED ? -1 : rank;
    group->range_count = (uint32_t)count;
    group->ranges = (uint64_t)(uintptr_t)ranges;
    return group_publish(group);
}

/* World ranks of all members into the second half of `scratch` [2 * size]. */
static bool translate_to_world(MPI_Group handle, int size, int *scratch)
{
    MPI_Group world;
    bool must_free;
    if (!world_group_get(&world, &must_free))
        return false;
    for (int i = 0; i < size; i++)
        scratch[i] = i;
    int error =
        size > 0 ? mpilens__real.MPI_Group_translate_ranks(handle, size, scratch, world, scratch + size) : MPI_SUCCESS;
    if (must_free)
        mpilens__real.MPI_Group_free(&world);
    for (int i = 0; i < size; i++)
        if (scratch[size + i] == MPI_UNDEFINED)
            scratch[size + i] = -1;
    return error == MPI_SUCCESS;
}

struct mpilens_group *group_of_handle(MPI_Group handle)
{
    int size = 0;
    int rank = MPI_UNDEFINED;
    if (mpilens__real.MPI_Group_size(handle, &size) != MPI_SUCCESS ||
        mpilens__real.MPI_Group_rank(handle, &rank) != MPI_SUCCESS)
        return NULL;
    size_t bytes = ((size_t)size * 2 + 1) * sizeof(int);
    int *scratch = memory_map(bytes);
    if (!scratch)
        return NULL;
    struct mpilens_group *group = NULL;
    if (translate_to_world(handle, size, scratch))
        group = group_of_world_ranks(scratch + size, size, rank);
    memory_unmap(scratch, bytes);
    return group;
}

struct mpilens_group *group_retain(struct mpilens_group *group)
{
    if (group)
        __atomic_fetch_add(&group->users, 1, __ATOMIC_RELAXED);
    return group;
}

void group_release(struct mpilens_group *group)
{
    if (!group || __atomic_sub_fetch(&group->users, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    struct mpilens_range *ranges = (struct mpilens_range *)(uintptr_t)group->ranges;
    size_t count = group->range_count;
    bool mapped = ranges != group->short_ranges;
    table_give_back(MPILENS_TABLE_GROUPS, (void *const[]){group}, 1);
    if (mapped)
        memory_unmap(ranges, ranges_bytes(count));
}
