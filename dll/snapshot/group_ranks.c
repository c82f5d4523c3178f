/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expands the ranges of a group into ranks.
 */
#include "snapshot/snapshot.h"

#include "layout/layout.h"
#include "target/target.h"

static const uint32_t range_limit = 1u << 22;

/* Whether the ranges stand in the record itself, which is at `address`. */
static bool has_short_ranges(const struct offsets *offsets, const struct mpilens_group *group, uint64_t address)
{
    const struct field_place *place = &offsets->fields[MPILENS_FIELD_group_short_ranges];
    return place->size > 0 && group->ranges == address + place->offset;
}

/* Where ranges stand outside of records: `major` is their address, `middle` how many bytes they have. */
static size_t list_ranges(const struct root *root, const struct table_copy *groups, struct group_ranks *ranks,
                          struct sort_entry *ret_entries)
{
    const uint64_t range_bytes = root->offsets.struct_size[MPILENS_STRUCT_range];
    struct table_position position = {0};
    size_t count = 0;
    for (const struct mpilens_group *group; (group = table_copy_next(groups, &position)) != NULL;)
        if (group->state != 0 && group->range_count > 0 && group->range_count <= range_limit &&
            !has_short_ranges(&root->offsets, group, table_copy_address(groups, position.number)))
            ret_entries[count++] = (struct sort_entry){
                .major = group->ranges, .middle = group->range_count * range_bytes, .item = &ranks[position.number]};
    return count;
}

static void refuse(const struct sort_entry *entry)
{
    ((struct group_ranks *)(uintptr_t)entry->item)->code = MPILENS_ERROR_CORRUPT;
}

int group_ranks_refuse_shared(const struct root *root, const struct table_copy *groups, struct group_ranks *ranks)
{
    struct sort_entry *entries = allocate_array(groups->record_count, sizeof *entries);
    if (entries == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    const size_t count = list_ranges(root, groups, ranks, entries);
    const int code = sort_entries(entries, count);
    const struct sort_entry *farthest = entries; /* of those so far */
    for (size_t i = 1; code == mqs_ok && i < count; i++) {
        if (entries[i].major - farthest->major < farthest->middle) {
            refuse(&entries[i]);
            refuse(farthest);
        }
        if (entries[i].major + entries[i].middle > farthest->major + farthest->middle)
            farthest = &entries[i];
    }
    release(entries);
    return code;
}

/* The ranges, decoded: from the record itself where they stand there, else from where the record says. */
static int read_ranges(const struct target *target, const struct root *root, const struct mpilens_group *group,
                       uint64_t address, struct rank_range *ranges)
{
    const struct offsets *offsets = &root->offsets;
    const uint32_t shorts = sizeof group->short_ranges / sizeof group->short_ranges[0];
    if (has_short_ranges(offsets, group, address)) {
        if (group->range_count > shorts)
            return MPILENS_ERROR_CORRUPT;
        for (uint32_t i = 0; i < group->range_count; i++)
            ranges[i].range = group->short_ranges[i];
        return mqs_ok;
    }
    const size_t size = offsets->struct_size[MPILENS_STRUCT_range];
    if (size > 4096)
        return MPILENS_ERROR_CORRUPT;
    uint8_t *bytes = allocate_array(group->range_count, size);
    int code =
        bytes != NULL ? target_copy(target, group->ranges, group->range_count * size, bytes) : MPILENS_ERROR_NO_MEMORY;
    for (uint32_t i = 0; code == mqs_ok && i < group->range_count; i++)
        decode_struct(offsets, MPILENS_STRUCT_range, bytes + i * size, &ranges[i].range);
    release(bytes);
    return code;
}

/* Whether all world ranks of the range exist, where they are known. */
static bool range_is_possible(const struct mpilens_range *range, int32_t world_size)
{
    if (range->count <= 0)
        return false;
    if (range->first == -1)
        return true;
    int64_t last = range->first + (int64_t)range->stride * (range->count - 1);
    int64_t limit = world_size > 0 ? world_size : INT32_MAX;
    return range->first >= 0 && range->first < limit && last >= 0 && last < limit;
}

static int check_ranges(const struct root *root, struct group_ranks *ranks)
{
    int64_t members = 0;
    for (uint32_t i = 0; i < ranks->range_count; i++) {
        const struct mpilens_range *range = &ranks->ranges[i].range;
        if (!range_is_possible(range, root->process.world_size))
            return MPILENS_ERROR_CORRUPT;
        members += range->count;
        if (members > ranks->size)
            return MPILENS_ERROR_CORRUPT;
        ranks->ranges[i].end = (int32_t)members;
    }
    return members == ranks->size ? mqs_ok : MPILENS_ERROR_CORRUPT;
}

int group_ranks_read(const struct target *target, const struct root *root, const struct mpilens_group *group,
                     uint64_t address, struct group_ranks *ret_ranks)
{
    *ret_ranks = (struct group_ranks){.code = MPILENS_ERROR_CORRUPT, .size = group->size};
    if (group->size < 0 || group->range_count > range_limit || group->range_count > (uint32_t)group->size)
        return mqs_ok;
    if (group->size == 0) {
        ret_ranks->code = mqs_ok;
        return mqs_ok;
    }
    ret_ranks->ranges = allocate_array(group->range_count, sizeof *ret_ranks->ranges);
    if (ret_ranks->ranges == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    ret_ranks->range_count = group->range_count;
    ret_ranks->code = read_ranges(target, root, group, address, ret_ranks->ranges);
    if (ret_ranks->code == MPILENS_ERROR_NO_MEMORY) {
        group_ranks_free(ret_ranks);
        return MPILENS_ERROR_NO_MEMORY;
    }
    if (ret_ranks->code == mqs_ok)
        ret_ranks->code = check_ranges(root, ret_ranks);
    return mqs_ok;
}

void group_ranks_free(struct group_ranks *ranks)
{
    release(ranks->ranges);
    ranks->ranges = NULL;
}

/* Rank `offset` of the range. */
static int32_t rank_in_range(const struct mpilens_range *range, int32_t offset)
{
    return range->first == -1 ? -1 : (int32_t)(range->first + (int64_t)range->stride * offset);
}

int32_t group_ranks_world(const struct group_ranks *ranks, int64_t rank)
{
    if (ranks == NULL || ranks->code != mqs_ok || rank < 0 || rank >= ranks->size)
        return -1;
    uint32_t low = 0;
    uint32_t high = ranks->range_count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranks->ranges[middle].end <= rank)
            low = middle + 1;
        else
            high = middle;
    }
    const struct rank_range *range = &ranks->ranges[low];
    return rank_in_range(&range->range, (int32_t)(rank - (range->end - range->range.count)));
}

int group_ranks_list(const struct group_ranks *ranks, int64_t size, int *ret_world_ranks)
{
    if (ranks == NULL)
        return MPILENS_ERROR_CORRUPT;
    if (ranks->code != mqs_ok)
        return ranks->code;
    if (ranks->size != size)
        return MPILENS_ERROR_CORRUPT;
    size_t written = 0;
    for (uint32_t i = 0; i < ranks->range_count; i++)
        for (int32_t member = 0; member < ranks->ranges[i].range.count; member++)
            ret_world_ranks[written++] = rank_in_range(&ranks->ranges[i].range, member);
    return mqs_ok;
}
