/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about groups.
 */
#include "mpid/mpid_internal.h"
#include "replies/replies.h"

int mpid_group_query(mpid_process_handle_t *process, langHandle group, int language, mpid_group_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_GROUP, group, language, handle);
}

int mpid_group_query_by_name(mpid_process_handle_t *process, const char *name, mpid_group_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_GROUP, name, handle);
}

int mpid_group_handle_free(mpid_group_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_group_query_basic(mpid_group_handle_t *handle, char **group_name, int *group_bitflags, int *group_rank,
                           int *group_size, int *group_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_group_information group = {.struct_size = sizeof group, .rank = -1};
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_GROUP, group_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = basic.object.serial != 0 ? reply_get_group(call.info, &group) : mqs_ok;
    if (code == mqs_ok) {
        MPID_GIVE(group_rank, group.rank);
        MPID_GIVE(group_size, group.size);
    }
    return call_end_common(&call, &basic, code, group_name, group_bitflags, group_fortran_handle);
}

static int collect_procs(const struct mpid_call *call, struct answer_list *ret_processes)
{
    return answer_members(call->info, 0, ret_processes);
}

int mpid_group_query_procs(mpid_group_handle_t *handle, int *group_num_procs, mpid_process_t **group_procs)
{
    return handle_query_list(handle, MPILENS_OBJECT_GROUP, collect_procs, NULL, group_num_procs, group_procs);
}
