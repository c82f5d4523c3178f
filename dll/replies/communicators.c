/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the communicator at which the iterator stands.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "process/process.h"

static void set_group(const struct reading *reading, uint64_t address, uint64_t *ret_handle, uint32_t *ret_serial)
{
    const struct mpilens_group *group = snapshot_record(&reading->snapshot, MPILENS_TABLE_GROUPS, address);
    if (group == NULL)
        return;
    *ret_serial = group->serial;
    *ret_handle = group->state == MPILENS_OBJECT_LIVE && group->references > 0 ? group->handle : 0;
}

static void give(const struct reading *reading, const struct mpilens_communicator *record,
                 struct mpilens_communicator_information *ret_communicator)
{
    struct mpilens_communicator_information answer = {
        .id = record->unique_id,
        .handle = record->handle,
        .parent_id = record->parent_id,
        .parent = record->parent_handle,
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
        .constructor_calls = record->children,
        .errhandler = snapshot_errhandler_handle(&reading->snapshot, record->errhandler),
        .root_sum = record->root_sum,
    };
    text_set(answer.function, sizeof answer.function, function_table_get(&reading->functions, record->function)->name);
    struct text text = text_begin(answer.parent_name, sizeof answer.parent_name);
    text_add_parent(&text, reading, record);
    text_set(answer.name, sizeof answer.name, record->name);
    set_group(reading, record->group, &answer.group, &answer.group_serial);
    if (record->flags & MPILENS_COMMUNICATOR_INTER)
        set_group(reading, record->remote_group, &answer.remote_group, &answer.remote_group_serial);
    reply_give(ret_communicator, &answer, sizeof answer);
}

int mpilens_get_communicator(mqs_process *process, struct mpilens_communicator_information *ret_communicator)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = reply_communicator(info, ret_communicator, &view);
    if (code != mqs_ok)
        return code;
    if (view->record != NULL) {
        give(&info->reading, view->record, ret_communicator);
    } else {
        const struct mpilens_communicator_information unknown = {.rank = -1};
        reply_give(ret_communicator, &unknown, sizeof unknown);
    }
    return mqs_ok;
}

int reply_get_communicator_object(mqs_process_info *info, struct mpilens_communicator_information *ret_communicator)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_COMMUNICATOR, ret_communicator, &record);
    if (code == mqs_ok)
        code = process_info_need(info, TABLE_BIT(MPILENS_TABLE_GROUPS) | TABLE_BIT(MPILENS_TABLE_ERRHANDLERS));
    if (code == mqs_ok)
        give(&info->reading, record, ret_communicator);
    return code;
}

int mpilens_get_comm_remote_group(mqs_process *process, int *ret_world_ranks)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    if (ret_world_ranks == NULL)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    if (view->record == NULL || !(view->record->flags & MPILENS_COMMUNICATOR_INTER))
        return mqs_no_information;
    return group_ranks_list(view->remote_group, view->record->remote_size, ret_world_ranks);
}
