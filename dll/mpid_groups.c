/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about groups and sessions.
 */
#include "callbacks.h"
#include "mpid_call.h"

#include <string.h>

int mpid_group_query(mpid_process_handle_t *process, langHandle group, int language, mpid_group_handle_t **handle)
{
    return mpid_query(process, MPILENS_OBJECT_GROUP, group, language, handle);
}

int mpid_group_query_by_name(mpid_process_handle_t *process, const char *name, mpid_group_handle_t **handle)
{
    return mpid_query_by_name(process, MPILENS_OBJECT_GROUP, name, handle);
}

int mpid_group_handle_free(mpid_group_handle_t *handle)
{
    return mpid_free(handle);
}

int mpid_group_query_basic(mpid_group_handle_t *handle, char **group_name, int *group_bitflags, int *group_rank,
                           int *group_size, int *group_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_group_information group = {.struct_size = sizeof(group), .rank = -1};
    mpid_rc_t result = mpid_begin_common(handle, MPILENS_OBJECT_GROUP, group_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = basic.object.serial != 0 ? mpilens_get_group(call.process, &group) : mqs_ok;
    if (code == mqs_ok) {
        MPID_GIVE(group_rank, group.rank);
        MPID_GIVE(group_size, group.size);
    }
    return mpid_end_common(&call, &basic, code, group_name, group_bitflags, group_fortran_handle);
}

int mpid_group_query_procs(mpid_group_handle_t *handle, int *group_num_procs, mpid_process_t **group_procs)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct mpid_list processes;
    mpid_rc_t result = mpid_begin(handle, MPILENS_OBJECT_GROUP, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = mpid_collect_procs(&call, 0, &processes);
    mpid_give_list(&processes, code, group_num_procs, group_procs);
    return mpid_end(&call, code);
}

int mpid_session_query(mpid_process_handle_t *process, mpid_address_t session, mpid_session_handle_t **handle)
{
    return mpid_query(process, MPILENS_OBJECT_SESSION, (langHandle){.cType = session}, MPID_TYPE_LANG_C, handle);
}

int mpid_session_query_language(mpid_process_handle_t *process, langHandle session, int language,
                                mpid_session_handle_t **handle)
{
    return mpid_query(process, MPILENS_OBJECT_SESSION, session, language, handle);
}

int mpid_session_handle_free(mpid_session_handle_t *handle)
{
    return mpid_free(handle);
}

/* Serial of the nth session that lives; *ret_count of them are before the end or that one. */
static int find_session(const struct mpid_call *call, int nth, uint32_t *ret_serial, int *ret_count)
{
    struct mpilens_object_information object = {.struct_size = sizeof(object)};
    int code = mpilens_setup_object_iterator(call->process, MPILENS_OBJECT_SESSION);
    *ret_count = 0;
    while (code == mqs_ok && (code = mpilens_next_object(call->process, &object)) == mqs_ok) {
        if (object.freed)
            continue;
        if (*ret_count == nth) {
            *ret_serial = object.serial;
            return mqs_ok;
        }
        ++*ret_count;
    }
    return code;
}

int mpid_get_num_sessions(mpid_process_handle_t *process, int *num_sessions)
{
    struct mpid_call call;
    uint32_t serial = 0;
    int count = 0;
    mpid_rc_t result = mpid_begin_process(process, true, &call);
    if (result != mpid_rc_ok)
        return result;
    int code = find_session(&call, -1, &serial, &count);
    if (code == mqs_end_of_list) {
        MPID_GIVE(num_sessions, count);
        code = mqs_ok;
    }
    return mpid_end(&call, code);
}

int mpid_get_nth_session(mpid_process_handle_t *process, int nth_session, mpid_session_handle_t **handle)
{
    struct mpid_call call;
    uint32_t serial = 0;
    int count = 0;
    if (nth_session < 0 || !handle)
        return mpid_rc_bad_input;
    mpid_rc_t result = mpid_begin_process(process, true, &call);
    if (result != mpid_rc_ok)
        return result;
    int code = find_session(&call, nth_session, &serial, &count);
    if (code == mqs_ok)
        code = mpid_make_object(&call, MPILENS_OBJECT_SESSION, serial, handle);
    return mpid_end(&call, code);
}

int mpid_session_query_num_psets(mpid_session_handle_t *handle, int *num_psets)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    char name[1];
    int count = 0;
    mpid_rc_t result = mpid_begin(handle, MPILENS_OBJECT_SESSION, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = mqs_ok;
    while ((code = mpilens_get_text_pair(call.process, (size_t)count, name, sizeof(name), NULL, 0)) == mqs_ok)
        count++;
    if (code == mqs_end_of_list) {
        MPID_GIVE(num_psets, count);
        code = mqs_ok;
    }
    return mpid_end(&call, code);
}

int mpid_session_query_nth_pset(mpid_session_handle_t *handle, int nth_pset, const char **pset)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    char name[2048];
    if (nth_pset < 0)
        return mpid_rc_bad_input;
    mpid_rc_t result = mpid_begin(handle, MPILENS_OBJECT_SESSION, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = mpilens_get_text_pair(call.process, (size_t)nth_pset, name, sizeof(name), NULL, 0);
    char *copy = pset ? mpid_text(name, false, &code) : NULL;
    if (copy)
        *pset = copy;
    return mpid_end(&call, code);
}

/* What a process set of the standard is as a group: by its size, rank and ranks of MPI_COMM_WORLD. */
static bool has_members(const struct mpilens_group *group, const struct mpilens_process *root, bool world)
{
    const struct mpilens_range *range = &group->short_ranges[0];
    if (group->range_count != 1 || range->count != group->size)
        return false;
    if (world)
        return group->size == root->world_size && range->first == 0 && (range->stride == 1 || group->size == 1);
    return group->size == 1 && range->first == root->world_rank;
}

/* A group of this session with these members. */
static int find_group(const struct mpid_call *call, bool world, mpid_group_handle_t **ret_group)
{
    const struct snapshot *copy = call->info->object_copy;
    const uint64_t session = table_copy_address_of(&copy->tables[MPILENS_TABLE_SESSIONS], call->info->object);
    struct table_position position = {0};
    for (const struct mpilens_group *group;
         (group = table_copy_next(&copy->tables[MPILENS_TABLE_GROUPS], &position)) != NULL;)
        if (group->state != 0 && group->session == session && has_members(group, &call->info->root.process, world))
            return mpid_make_object(call, MPILENS_OBJECT_GROUP, group->serial, ret_group);
    return mqs_no_information;
}

int mpid_session_query_group_for_pset(mpid_session_handle_t *handle, const char *pset,
                                      mpid_group_handle_t **group_handle)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    if (!pset)
        return mpid_rc_bad_input;
    mpid_rc_t result = mpid_begin(handle, MPILENS_OBJECT_SESSION, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    const bool world = strcmp(pset, "mpi://WORLD") == 0;
    if (!world && strcmp(pset, "mpi://SELF") != 0)
        return mpid_end(&call, mqs_no_information);
    return mpid_end(&call, find_group(&call, world, group_handle));
}
