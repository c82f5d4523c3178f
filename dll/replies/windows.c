/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about windows.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "process/process.h"

static int current_window(mqs_process_info *info, const struct mpilens_window **ret_window)
{
    const void *record = NULL;
    int code = process_info_current_object(info, MPILENS_OBJECT_WINDOW, &record);
    if (code == mqs_ok)
        code = process_info_need_all(info);
    if (code != mqs_ok)
        return code;
    *ret_window = info->object;
    return mqs_ok;
}

/* -1: there is no such group, or it cannot be read. */
static int32_t group_size(const struct reading *reading, uint64_t address)
{
    const struct group_ranks *ranks = snapshot_group(&reading->snapshot, address);
    return ranks != NULL && ranks->code == mqs_ok ? ranks->size : -1;
}

int reply_get_window(mqs_process_info *info, struct mpilens_window_information *ret_window)
{
    const struct mpilens_window *window = NULL;
    if (!reply_is_possible(ret_window))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = current_window(info, &window);
    if (code != mqs_ok)
        return code;
    struct mpilens_window_information answer = {
        .id = window->unique_id,
        .communicator_id = snapshot_communicator_id(&info->reading.snapshot, window->communicator),
        .flavor = window->flavor,
        .access_epoch = window->access_epoch,
        .exposure_epoch = window->exposure_epoch,
        .displacement_unit = window->displacement_unit,
        .base = window->base,
        .bytes = window->bytes,
        .operations = window->operations,
        .operations_since = window->operations_since,
        .synchronizations = window->synchronizations,
        .synchronization_site = window->synchronization_site,
        .synchronization_time = window->synchronization_time,
        .lock_count = window->lock_count,
        .access_group_size = group_size(&info->reading, window->access_group),
        .exposure_group_size = group_size(&info->reading, window->exposure_group),
        .errhandler = snapshot_errhandler_handle(&info->reading.snapshot, window->errhandler),
        .collective_calls = window->collective_count,
    };
    text_set(answer.synchronization, sizeof answer.synchronization,
             function_table_get(&info->reading.functions, window->synchronization)->name);
    reply_give(ret_window, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_window_locks(mqs_process_info *info, struct mpilens_window_lock_information *ret_locks, size_t capacity,
                           size_t *ret_count)
{
    const struct mpilens_window *window = NULL;
    if (ret_count == NULL || (capacity > 0 && !reply_is_possible(ret_locks)))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = current_window(info, &window);
    if (code != mqs_ok)
        return code;
    const struct window_locks *locks = snapshot_window_locks(&info->reading.snapshot, window);
    if (locks == NULL && window->lock_count > 0)
        return mqs_no_information;
    if (locks != NULL && locks->code != mqs_ok)
        return locks->code;
    const size_t known = locks != NULL ? locks->count : 0;
    const size_t count = known < capacity ? known : capacity;
    const struct communicator_view view = snapshot_communicator_view(
        &info->reading.snapshot, snapshot_communicator(&info->reading.snapshot, window->communicator));
    for (size_t i = 0; i < count; i++) {
        const struct mpilens_window_lock *lock = &locks->locks[i];
        const struct mpilens_window_lock_information answer = {.target_local = lock->target >= 0 ? lock->target : -1,
                                                               .target_world = peer_world_rank(&view, lock->target),
                                                               .type = lock->type,
                                                               .site = lock->site,
                                                               .locked = lock->locked};
        reply_give_element(ret_locks, i, &answer, sizeof answer);
    }
    *ret_count = count;
    return mqs_ok;
}

int reply_get_window_group(mqs_process_info *info, int exposure, int *ret_world_ranks)
{
    const struct mpilens_window *window = NULL;
    if (ret_world_ranks == NULL)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = current_window(info, &window);
    if (code != mqs_ok)
        return code;
    const uint64_t address = exposure ? window->exposure_group : window->access_group;
    const struct group_ranks *ranks = snapshot_group(&info->reading.snapshot, address);
    return ranks != NULL ? group_ranks_list(ranks, ranks->size, ret_world_ranks) : mqs_no_information;
}
