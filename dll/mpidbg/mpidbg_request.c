/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_request_query and mpidbg_status_query.
 */
#include "mpidbg/mpidbg_internal.h"
#include "replies/replies.h"

/* As far as a handle reaches: hosts may extend its sign. */
static mqs_taddr_t request_handle(const struct inquiry *inquiry, mqs_taddr_t handle)
{
    return reply_handle_bytes(inquiry->info, MPILENS_OBJECT_REQUEST) == sizeof(int32_t) ? (uint32_t)handle : handle;
}

static int make_request(const struct inquiry *inquiry, mqs_taddr_t handle, void **ret_info)
{
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    int code = reply_find_request(inquiry->info, MPILENS_HANDLE_C, handle, &request);
    if (code != mqs_ok)
        return code;
    struct request_answer *made = inquiry_allocate(1, sizeof *made);
    if (made == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    const int flags = request.serial == 0 ? MPIDBG_REQUEST_INFO_PREDEFINED : 0;
    made->info.req_bitflags = (enum mpidbg_request_info_bitmap_t)flags;
    /* A freed one has no request any more; it was freed under this one. */
    made->info.req_c_handle = request.request != 0 ? (mqs_taddr_t)request.request : request_handle(inquiry, handle);
    made->info.req_fortran_handle =
        request.has_fortran_handle ? (int)request.fortran_handle : (int)MPIDBG_ERR_UNAVAILABLE;
    made->tail = (struct answer_tail){ANSWER_MARK, ANSWER_REQUEST, flags};
    *ret_info = &made->info;
    return mqs_ok;
}

MPIDBG_OTHER_QUERY(mpidbg_request_query, handle, struct mpidbg_request_info_t, make_request)

static int make_status(const struct inquiry *inquiry, mqs_taddr_t address, void **ret_info)
{
    struct mpilens_status_information status = {.struct_size = sizeof status};
    int code = reply_get_status(inquiry->info, address, &status);
    if (code != mqs_ok)
        return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_no_information;
    struct status_answer *made = inquiry_allocate(1, sizeof *made);
    if (made == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    const int flags = status.ignored ? MPIDBG_STATUS_INFO_PREDEFINED : 0;
    made->info.status_bitflags = (enum mpidbg_status_info_bitmap_t)flags;
    made->tail = (struct answer_tail){ANSWER_MARK, ANSWER_STATUS, flags};
    *ret_info = &made->info;
    return mqs_ok;
}

MPIDBG_OTHER_QUERY(mpidbg_status_query, address, struct mpidbg_status_info_t, make_status)
