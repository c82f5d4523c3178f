/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the members of groups and communicators.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "process/process.h"

/* The group that the current object is or has. 0: none. */
static uint64_t group_address(const mqs_process_info *info, int remote)
{
    if (info->object_kind == MPILENS_OBJECT_GROUP)
        return remote ? 0 : table_copy_address_of(&info->reading.snapshot.tables[MPILENS_TABLE_GROUPS], info->object);
    const struct mpilens_communicator *communicator = info->object;
    if (!remote)
        return communicator->group;
    return communicator->flags & MPILENS_COMMUNICATOR_INTER ? communicator->remote_group : 0;
}

static int give_ranges(const struct group_ranks *ranks, struct mpilens_rank_range *ret_ranges, size_t capacity,
                       size_t *ret_count)
{
    if (ranks->code != mqs_ok)
        return ranks->code;
    for (uint32_t i = 0; i < ranks->range_count && i < capacity; i++) {
        const struct mpilens_range *range = &ranks->ranges[i].range;
        ret_ranges[i] = (struct mpilens_rank_range){range->first, range->stride, range->count};
    }
    *ret_count = ranks->range_count;
    return mqs_ok;
}

int reply_get_members(mqs_process_info *info, int remote, struct mpilens_rank_range *ret_ranges, size_t capacity,
                      size_t *ret_count)
{
    const void *record = NULL;
    if (ret_count == NULL || (capacity > 0 && ret_ranges == NULL))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_object(info, MPILENS_OBJECT_NONE, &record);
    if (code != mqs_ok)
        return code;
    if (info->object_kind != MPILENS_OBJECT_GROUP && info->object_kind != MPILENS_OBJECT_COMMUNICATOR)
        return MPILENS_ERROR_NO_CURRENT;
    code = process_info_need(info, TABLE_BIT(MPILENS_TABLE_GROUPS));
    if (code != mqs_ok)
        return code;
    const uint64_t address = group_address(info, remote);
    const struct group_ranks *ranks = snapshot_group(&info->reading.snapshot, address);
    if (ranks != NULL && ranks->code == mqs_ok)
        return give_ranges(ranks, ret_ranges, capacity, ret_count);
    if (ranks != NULL && ranks->code != mqs_no_information)
        return ranks->code;
    const struct mpilens_group *group = snapshot_record(&info->reading.snapshot, MPILENS_TABLE_GROUPS, address);
    if (group == NULL)
        return mqs_no_information;
    /* Nothing has asked for these members yet. */
    struct group_ranks read;
    copy_budget_begin(&info->budget, info->reading.root.process.memory_bytes);
    code = group_ranks_read(&info->reading.target, &info->reading.root, group, address, &read);
    if (code != mqs_ok)
        return code;
    code = give_ranges(&read, ret_ranges, capacity, ret_count);
    group_ranks_free(&read);
    return code;
}
