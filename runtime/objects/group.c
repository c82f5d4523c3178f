/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, finds and ends the records of groups.
 */

#include "memory/memory.h"
#include "mpi/functions.h"
#include "objects/objects_internal.h"

#include <string.h>

static void give_back_ranges(void *record);

static struct object_kind groups = OBJECT_KIND(MPILENS_TABLE_GROUPS, give_back_ranges);

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

static size_t ranges_bytes(size_t count)
{
    return count * sizeof(struct mpilens_range);
}

static void give_back_ranges(void *record)
{
    struct mpilens_group *group = record;
    __atomic_store_n(&group->state, 0, __ATOMIC_RELEASE); /* before what it names goes */
    struct mpilens_range *ranges = (struct mpilens_range *)(uintptr_t)group->ranges;
    if (ranges != NULL && ranges != group->short_ranges)
        block_give_back(ranges, ranges_bytes(group->range_count));
    group->ranges = 0;
    session_release_locked(group->session);
    group->session = 0;
}

/* Room for `count` ranges in a new record. NULL: no memory, the record is gone. */
static struct mpilens_range *take_ranges(struct mpilens_group *group, size_t count)
{
    struct mpilens_range *ranges = group->short_ranges;
    if (count > sizeof group->short_ranges / sizeof group->short_ranges[0])
        ranges = block_take(ranges_bytes(count));
    if (ranges == NULL) {
        table_give_back_untracked(MPILENS_TABLE_GROUPS, group);
        return NULL;
    }
    group->range_count = (uint32_t)count;
    group->ranges = (uint64_t)(uintptr_t)ranges;
    return ranges;
}

/* The functions that make a record leave it to the caller to begin and publish it. */
static struct mpilens_group *take_group(int32_t size, int32_t rank)
{
    struct mpilens_group *group = table_take_one(MPILENS_TABLE_GROUPS);
    if (group == NULL)
        return NULL;
    group->size = size;
    group->rank = rank;
    return group;
}

static struct mpilens_group *make_of_range(int32_t first, int32_t size, int32_t rank)
{
    struct mpilens_group *group = take_group(size, rank);
    if (group == NULL)
        return NULL;
    take_ranges(group, 1)[0] = (struct mpilens_range){.first = first, .stride = size > 1 && first >= 0, .count = size};
    group->hash = group_hash(group->short_ranges, 1);
    return group;
}

static struct mpilens_group *make_of_world_ranks(const int *world_ranks, int size, int rank)
{
    struct mpilens_group *group = take_group(size, rank);
    if (group == NULL)
        return NULL;
    size_t count = group_compress(world_ranks, (size_t)size, NULL, 0);
    struct mpilens_range *ranges = take_ranges(group, count);
    if (ranges == NULL)
        return NULL;
    group_compress(world_ranks, (size_t)size, ranges, count);
    group->hash = group_hash(ranges, count);
    return group;
}

static struct mpilens_group *make_copy(const struct mpilens_group *original)
{
    struct mpilens_group *group = take_group(original->size, original->rank);
    struct mpilens_range *ranges = group != NULL ? take_ranges(group, original->range_count) : NULL;
    if (ranges == NULL)
        return NULL;
    memcpy(ranges, (const void *)(uintptr_t)original->ranges, ranges_bytes(original->range_count));
    group->hash = original->hash;
    return group;
}

static struct mpilens_group *make_translated(MPI_Group handle, int size, int rank, MPI_Group world)
{
    size_t bytes = ((size_t)size + 1) * sizeof(int);
    int *world_ranks = block_take(bytes);
    if (world_ranks == NULL)
        return NULL;
    struct mpilens_group *group = NULL;
    if (group_members_ask(handle, size, world, world_ranks))
        group = make_of_world_ranks(world_ranks, size, rank);
    block_give_back(world_ranks, bytes);
    return group;
}

static struct mpilens_group *make_of_handle(MPI_Group handle)
{
    int size = 0;
    int rank = MPI_UNDEFINED;
    if (mpilens__asked.MPI_Group_size(handle, &size) != MPI_SUCCESS ||
        mpilens__asked.MPI_Group_rank(handle, &rank) != MPI_SUCCESS)
        return NULL;
    rank = rank == MPI_UNDEFINED ? -1 : rank;
    MPI_Group world;
    bool must_free;
    if (!world_group_get(&world, &must_free))
        return make_of_range(-1, size, rank);
    struct mpilens_group *group = make_translated(handle, size, rank, world);
    if (must_free)
        mpilens__asked.MPI_Group_free(&world);
    return group;
}

/* A record that the application has no handle of. */
static struct mpilens_group *publish_unnamed(struct mpilens_group *group)
{
    if (group == NULL)
        return NULL;
    object_begin(MPILENS_TABLE_GROUPS, (struct mpilens_object *)group, 0, 0, 0, 0, &groups.count);
    group->references = 0;
    group->users = 1;
    __atomic_store_n(&group->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    return group;
}

struct mpilens_group *group_of_range(int32_t first, int32_t size, int32_t rank)
{
    return publish_unnamed(make_of_range(first, size, rank));
}

struct mpilens_group *group_of_handle(MPI_Group handle)
{
    return publish_unnamed(make_of_handle(handle));
}

void groups_initialize(void)
{
    if (object_find(&groups, HANDLE_VALUE(MPI_GROUP_EMPTY)) != NULL)
        return;
    struct mpilens_group *empty = make_of_world_ranks(NULL, 0, -1);
    if (empty == NULL)
        return;
    object_begin(MPILENS_TABLE_GROUPS, (struct mpilens_object *)empty, HANDLE_VALUE(MPI_GROUP_EMPTY), 0, 0,
                 MPILENS_OBJECT_PREDEFINED, &groups.count);
    object_publish(&groups, empty);
}

/* Whether what a handle named before may be what it names now. */
static bool have_same_members(const void *known, const void *record)
{
    const struct mpilens_group *one = known;
    const struct mpilens_group *other = record;
    return one->size == other->size && one->rank == other->rank && one->hash == other->hash;
}

void group_set_session(struct mpilens_group *group, uint64_t session)
{
    uint64_t none = 0;
    if (group == NULL || session == 0 || __atomic_load_n(&group->session, __ATOMIC_RELAXED) != 0)
        return;
    session_retain(session);
    if (!__atomic_compare_exchange_n(&group->session, &none, session, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        session_release(session); /* another thread has set it: communicators share groups */
}

uint64_t group_session(MPI_Group one, MPI_Group other)
{
    const struct mpilens_group *records[] = {group_find(HANDLE_VALUE(one)), group_find(HANDLE_VALUE(other))};
    uint64_t session = 0;
    for (size_t i = 0; i < 2 && session == 0; i++)
        session = records[i] != NULL ? records[i]->session : 0;
    return session;
}

void group_given(uint32_t function, uint64_t site, MPI_Group handle, struct mpilens_group *holder, uint64_t session)
{
    uint64_t value = HANDLE_VALUE(handle);
    if (handle == MPI_GROUP_NULL || handle == MPI_GROUP_EMPTY ||
        (holder != NULL && object_give(&groups, holder, value, function, site)))
        return;
    struct mpilens_group *group = holder != NULL ? make_copy(holder) : make_of_handle(handle);
    if (group == NULL)
        return;
    object_begin(MPILENS_TABLE_GROUPS, (struct mpilens_object *)group, value, function, site, 0, &groups.count);
    group_set_session(group, session);
    object_publish_or_reference(&groups, group, have_same_members);
}

struct mpilens_group *group_find(uint64_t handle)
{
    return object_find(&groups, handle);
}

void group_freed(uint32_t function, uint64_t site, struct mpilens_group *record, uint64_t handle)
{
    object_released(&groups, record, handle, function, site);
}

struct mpilens_group *group_of_side(const struct mpilens_communicator *communicator, enum group_side side)
{
    if (communicator == NULL)
        return NULL;
    return (struct mpilens_group *)(uintptr_t)(side == GROUP_REMOTE ? communicator->remote_group : communicator->group);
}

struct mpilens_group *group_retain(struct mpilens_group *group)
{
    return object_use(group);
}

void group_release(struct mpilens_group *group)
{
    object_unuse(&groups, group);
}

void group_release_sides(const struct mpilens_communicator *communicator)
{
    group_release(group_of_side(communicator, GROUP_LOCAL));
    group_release(group_of_side(communicator, GROUP_REMOTE));
}
