/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens_* entry points about the communicator at which the iterator stands.
 */
#include "reply.h"
#include "text.h"

int mpilens_get_communicator(mqs_process *process, struct mpilens_communicator_information *ret_communicator)
{
    mqs_process_info *info = NULL;
    const struct communicator_view *view = NULL;
    if (!reply_is_possible(ret_communicator))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_with_communicator(process, &info, &view);
    if (code != mqs_ok)
        return code;
    if (!view->record) {
        const struct mpilens_communicator_information unknown = {.rank = -1};
        reply_give(ret_communicator, &unknown, sizeof(unknown));
        return mqs_ok;
    }
    const struct mpilens_communicator *record = view->record;
    struct mpilens_communicator_information answer = {
        .unique_id = record->unique_id,
        .handle = record->handle,
        .parent_id = record->parent_id,
        .parent_handle = record->parent_handle,
        .rank = record->rank,
        .size = record->size,
        .remote_size = record->remote_size,
        .predefined = (record->flags & MPILENS_OBJECT_PREDEFINED) != 0,
        .intercommunicator = (record->flags & MPILENS_COMMUNICATOR_INTER) != 0,
        .freed = record->state == MPILENS_OBJECT_FREED,
        .serial = record->serial,
        .created = record->created,
        .site = record->site,
        .collective_calls = record->collective_count,
        .errhandler = snapshot_errhandler_handle(&info->snapshot, record->errhandler),
    };
    text_set(answer.function, sizeof(answer.function), function_table_get(&info->functions, record->function)->name);
    struct text text = text_begin(answer.parent_name, sizeof(answer.parent_name));
    text_add_parent(&text, info, record);
    text_set(answer.name, sizeof(answer.name), record->name);
    reply_give(ret_communicator, &answer, sizeof(answer));
    return mqs_ok;
}

int mpilens_get_comm_remote_group(mqs_process *process, int *ret_world_ranks)
{
    mqs_process_info *info = NULL;
    const struct communicator_view *view = NULL;
    if (!ret_world_ranks)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_with_communicator(process, &info, &view);
    if (code != mqs_ok)
        return code;
    if (!view->record || !(view->record->flags & MPILENS_COMMUNICATOR_INTER))
        return mqs_no_information;
    return group_ranks_list(view->remote_group, view->record->remote_size, ret_world_ranks);
}
