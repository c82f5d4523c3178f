/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points about communicators (5.10.1 to 5.10.5) and padb's two.
 */
#include "facts/facts.h"
#include "process/process.h"

#include <limits.h>

static const char unknown_name[] = "unknown communicator";

int mqs_update_communicator_list(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    int code = process_info_check(info);
    return code == mqs_ok ? shared_copy_claim(info) : code;
}

int mqs_setup_communicator_iterator(mqs_process *process)
{
    return process_info_first_communicator(process_info(process));
}

int mqs_next_communicator(mqs_process *process)
{
    return process_info_next_communicator(process_info(process));
}

int mqs_get_communicator(mqs_process *process, mqs_communicator *ret_communicator)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    if (ret_communicator == NULL)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    struct text text = text_begin(ret_communicator->name, sizeof ret_communicator->name);
    if (view->record == NULL) {
        ret_communicator->unique_id = 0;
        ret_communicator->local_rank = -1;
        ret_communicator->size = 0;
        text_add(&text, unknown_name);
        return mqs_ok;
    }
    ret_communicator->unique_id = (mqs_taddr_t)view->record->unique_id;
    ret_communicator->local_rank = view->record->rank;
    ret_communicator->size = view->record->size;
    text_add_communicator(&text, &info->reading, view->record);
    return mqs_ok;
}

int mqs_get_comm_group(mqs_process *process, int *ret_world_ranks)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    if (ret_world_ranks == NULL)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    return view->record != NULL ? group_ranks_list(view->group, view->record->size, ret_world_ranks)
                                : mqs_no_information;
}

int mqs_get_comm_coll_state(mqs_process *process, int collective_class, int *ret_count, int *ret_active)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    if (ret_count == NULL || ret_active == NULL)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    if (view->record == NULL || collective_class < 0 || collective_class >= MPILENS_COLLECTIVE_CLASS_COUNT)
        return mqs_no_information;
    const struct mpilens_collective_state *state = &view->record->collective_states[collective_class];
    *ret_count = state->count < INT_MAX ? (int)state->count : INT_MAX;
    *ret_active = state->active < INT_MAX ? (int)state->active : INT_MAX;
    return mqs_ok;
}

/* padb asks right after mqs_setup_process. */
int mqs_get_global_rank(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    if (info == NULL || (info->reading.root.bytes == NULL && process_info_attach(info) != mqs_ok))
        return MQS_INVALID_PROCESS;
    return info->reading.root.process.world_rank >= 0 ? info->reading.root.process.world_rank : MQS_INVALID_PROCESS;
}
