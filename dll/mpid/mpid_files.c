/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about files.
 */
#include "mpid/mpid_internal.h"
#include "replies/replies.h"

int mpid_file_query(mpid_process_handle_t *process, langHandle file, int language, mpid_file_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_FILE, file, language, handle);
}

int mpid_file_query_by_name(mpid_process_handle_t *process, const char *name, mpid_file_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_FILE, name, handle);
}

int mpid_file_handle_free(mpid_file_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_file_query_basic(mpid_file_handle_t *handle, char **file_name, int *file_bitflags, int *file_amode,
                          int *file_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_file_information file = {.struct_size = sizeof file};
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_FILE, file_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = basic.object.serial != 0 ? reply_get_file(call.info, &file) : mqs_ok;
    if (code == mqs_ok)
        MPID_GIVE(file_amode, (int)file.amode);
    return call_end_common(&call, &basic, code, file_name, file_bitflags, file_fortran_handle);
}

int mpid_file_query_comm(mpid_file_handle_t *handle, mpid_comm_handle_t **file_comm)
{
    return handle_query_reference(handle, MPILENS_OBJECT_FILE, offsetof(struct mpilens_file, communicator),
                                  MPILENS_OBJECT_COMMUNICATOR, file_comm);
}

int mpid_file_query_info(mpid_file_handle_t *handle, int *num_entries, mpid_keyvalue_pair_t **entries)
{
    return handle_query_list(handle, MPILENS_OBJECT_FILE, result_collect_pairs, result_free_pairs, num_entries,
                             entries);
}

int mpid_file_query_requests(mpid_file_handle_t *handle, int *num_requests, mpid_address_t **requests)
{
    return handle_query_list(handle, MPILENS_OBJECT_FILE, result_collect_requests, NULL, num_requests, requests);
}
