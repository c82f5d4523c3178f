/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists users, members and text pairs of the current object.
 */
#include "answers/answers.h"

#include "replies/replies.h"
#include "target/target.h"

/* Longer texts are cut. */
enum { KEY_BYTES = 512, VALUE_BYTES = 2048 };

int answer_users(mqs_process_info *info, int kind, size_t handle_bytes, struct answer_list *ret_handles)
{
    struct mpilens_user_information user = {.struct_size = sizeof user};
    *ret_handles = (struct answer_list){.item_bytes = handle_bytes};
    int code = reply_setup_user_iterator(info);
    while (code == mqs_ok && (code = reply_next_user(info, &user)) == mqs_ok) {
        const uint32_t narrow = (uint32_t)user.handle;
        if ((kind == MPILENS_OBJECT_NONE || user.kind == (uint32_t)kind) && user.handle != 0)
            code = answer_list_add(ret_handles, handle_bytes == sizeof narrow ? (const void *)&narrow : &user.handle);
    }
    if (code == mqs_end_of_list || code == mqs_no_information)
        return mqs_ok;
    answer_list_free(ret_handles);
    return code;
}

static int32_t rank_in(const struct mpilens_rank_range *range, int32_t place)
{
    const int64_t rank = range->first + (int64_t)place * range->stride;
    return range->first < 0 || rank < 0 || rank > INT32_MAX ? -1 : (int32_t)rank;
}

static int expand(const struct mpilens_rank_range *ranges, size_t range_count, struct answer_list *ret_ranks)
{
    size_t count = 0;
    for (size_t i = 0; i < range_count; i++)
        count += ranges[i].count > 0 ? (size_t)ranges[i].count : 0;
    if (count > MOST_MEMBERS)
        return MPILENS_ERROR_CORRUPT;
    int32_t *ranks = count > 0 ? allocate_array(count, sizeof *ranks) : NULL;
    if (ranks == NULL)
        return count > 0 ? MPILENS_ERROR_NO_MEMORY : mqs_ok;
    size_t place = 0;
    for (size_t i = 0; i < range_count; i++)
        for (int32_t n = 0; n < ranges[i].count; n++)
            ranks[place++] = rank_in(&ranges[i], n);
    ret_ranks->items = ranks;
    ret_ranks->count = ret_ranks->capacity = count;
    return mqs_ok;
}

int answer_members(mqs_process_info *info, int remote, struct answer_list *ret_ranks)
{
    size_t count = 0;
    *ret_ranks = (struct answer_list){.item_bytes = sizeof(int32_t)};
    int code = reply_get_members(info, remote, NULL, 0, &count);
    if (code != mqs_ok)
        return code;
    const size_t capacity = count;
    struct mpilens_rank_range *ranges = allocate_array(capacity, sizeof *ranges);
    if (ranges == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    code = reply_get_members(info, remote, ranges, capacity, &count);
    if (code == mqs_ok)
        code = expand(ranges, count < capacity ? count : capacity, ret_ranks);
    release(ranges);
    return code;
}

int answer_pairs_each(mqs_process_info *info, answer_pair *take, void *context)
{
    char key[KEY_BYTES];
    char value[VALUE_BYTES];
    int code = mqs_ok;
    for (size_t n = 0; code == mqs_ok; n++) {
        code = reply_get_text_pair(info, n, key, sizeof key, value, sizeof value);
        if (code == mqs_ok)
            code = take(context, key, value);
    }
    return code == mqs_end_of_list ? mqs_ok : code;
}
