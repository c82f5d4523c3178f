/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about sessions.
 */
#include "mpid/mpid_internal.h"
#include "replies/replies.h"

#include <string.h>

/* Longer names of process sets are cut. */
enum { NAME_BYTES = 2048 };

int mpid_session_query(mpid_process_handle_t *process, mpid_address_t session, mpid_session_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_SESSION, (langHandle){.cType = session}, MPID_TYPE_LANG_C, handle);
}

int mpid_session_query_language(mpid_process_handle_t *process, langHandle session, int language,
                                mpid_session_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_SESSION, session, language, handle);
}

int mpid_session_handle_free(mpid_session_handle_t *handle)
{
    return handle_free(handle);
}

/* Serial of the nth session that lives; *ret_count of them are before the end or that one. */
static int find_session(const struct mpid_call *call, int nth, uint32_t *ret_serial, int *ret_count)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    int code = reply_setup_object_iterator(call->info, MPILENS_OBJECT_SESSION);
    *ret_count = 0;
    while (code == mqs_ok && (code = reply_next_object(call->info, &object)) == mqs_ok) {
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
    mpid_rc_t result = call_begin_process(process, true, &call);
    if (result != mpid_rc_ok)
        return result;
    int code = find_session(&call, -1, &serial, &count);
    if (code == mqs_end_of_list) {
        MPID_GIVE(num_sessions, count);
        code = mqs_ok;
    }
    return call_end(&call, code);
}

int mpid_get_nth_session(mpid_process_handle_t *process, int nth_session, mpid_session_handle_t **handle)
{
    struct mpid_call call;
    uint32_t serial = 0;
    int count = 0;
    if (nth_session < 0 || handle == NULL)
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin_process(process, true, &call);
    if (result != mpid_rc_ok)
        return result;
    int code = find_session(&call, nth_session, &serial, &count);
    if (code == mqs_ok)
        code = handle_make_object(&call, MPILENS_OBJECT_SESSION, serial, handle);
    return call_end(&call, code);
}

int mpid_session_query_num_psets(mpid_session_handle_t *handle, int *num_psets)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    char name[1];
    int count = 0;
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_SESSION, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = mqs_ok;
    while ((code = reply_get_text_pair(call.info, (size_t)count, name, sizeof name, NULL, 0)) == mqs_ok)
        count++;
    if (code == mqs_end_of_list) {
        MPID_GIVE(num_psets, count);
        code = mqs_ok;
    }
    return call_end(&call, code);
}

int mpid_session_query_nth_pset(mpid_session_handle_t *handle, int nth_pset, const char **pset)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    char name[NAME_BYTES];
    if (nth_pset < 0)
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_SESSION, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = reply_get_text_pair(call.info, (size_t)nth_pset, name, sizeof name, NULL, 0);
    char *copy = pset != NULL ? result_text(name, false, &code) : NULL;
    if (copy != NULL)
        *pset = copy;
    return call_end(&call, code);
}

/* Recognises a process set of the standard by its group's size, rank and ranks of MPI_COMM_WORLD. */
static bool has_members(const struct mpilens_group *group, const struct mpilens_process *root, bool world)
{
    const struct mpilens_range *range = &group->short_ranges[0];
    if (group->range_count != 1 || range->count != group->size)
        return false;
    if (world)
        return group->size == root->world_size && range->first == 0 && (range->stride == 1 || group->size == 1);
    return group->size == 1 && range->first == root->world_rank;
}

static const char world_name[] = "mpi://WORLD";
static const char self_name[] = "mpi://SELF";

/* Whether this is the only set of the session that the standard does not name. */
static bool is_only_other(const struct mpid_call *call, const char *pset)
{
    char name[NAME_BYTES];
    bool found = false;
    int code = mqs_ok;
    for (size_t n = 0; (code = reply_get_text_pair(call->info, n, name, sizeof name, NULL, 0)) == mqs_ok; n++) {
        if (strcmp(name, world_name) == 0 || strcmp(name, self_name) == 0)
            continue;
        if (found || strcmp(name, pset) != 0)
            return false;
        found = true;
    }
    return found && code == mqs_end_of_list;
}

/* A group that was made of a set which is neither of the standard's. */
static bool is_of_other(const struct mpid_call *call, const struct mpilens_group *group)
{
    const struct mpilens_process *root = &call->info->reading.root.process;
    return function_table_get(&call->info->reading.functions, group->function)->purpose ==
               MPILENS_PURPOSE_FROM_PROCESS_SET &&
           !has_members(group, root, true) && !has_members(group, root, false);
}

enum process_set { SET_WORLD, SET_SELF, SET_OTHER };

static bool is_of(const struct mpid_call *call, const struct mpilens_group *group, enum process_set set)
{
    return set == SET_OTHER ? is_of_other(call, group)
                            : has_members(group, &call->info->reading.root.process, set == SET_WORLD);
}

/* A group of this session with the members of that set; of several candidates with different ones, none. */
static int find_group(const struct mpid_call *call, enum process_set set, mpid_group_handle_t **ret_group)
{
    const struct snapshot *copy = &call->info->reading.snapshot;
    const uint64_t session = table_copy_address_of(&copy->tables[MPILENS_TABLE_SESSIONS], call->info->object);
    const struct mpilens_group *found = NULL;
    struct table_position position = {0};
    for (const struct mpilens_group *group;
         (group = table_copy_next(&copy->tables[MPILENS_TABLE_GROUPS], &position)) != NULL;) {
        if (group->state == 0 || group->session != session || !is_of(call, group, set))
            continue;
        if (found != NULL && (found->hash != group->hash || found->size != group->size))
            return mqs_no_information;
        found = found != NULL ? found : group;
    }
    return found != NULL ? handle_make_object(call, MPILENS_OBJECT_GROUP, found->serial, ret_group)
                         : mqs_no_information;
}

int mpid_session_query_group_for_pset(mpid_session_handle_t *handle, const char *pset,
                                      mpid_group_handle_t **group_handle)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    if (pset == NULL)
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_SESSION, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    const enum process_set set = strcmp(pset, world_name) == 0  ? SET_WORLD
                                 : strcmp(pset, self_name) == 0 ? SET_SELF
                                                                : SET_OTHER;
    return call_end(&call, set != SET_OTHER || is_only_other(&call, pset) ? find_group(&call, set, group_handle)
                                                                          : mqs_no_information);
}
