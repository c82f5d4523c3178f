/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Begins and ends every call of mpidbg.h.
 */
#include "mpidbg/mpidbg_internal.h"

#include "process/process.h"
#include "replies/replies.h"

static bool is_ours(const mqs_process_info *info)
{
    return info_exists(info) && (info->owners.interfaces & INTERFACE_MPIDBG) && info->aside != NULL;
}

mqs_process_info *inquiry_process_info(mqs_process *process, mqs_process_info *given)
{
    mqs_process_info *info = is_ours(given) ? given : process_info(process);
    return is_ours(info) && info->reading.target.process == process ? info : NULL;
}

int inquiry_begin(mqs_process *process, mqs_process_info *given, struct inquiry *inquiry)
{
    if (process == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    if (inquiry_enter(&inquiry->former) == NULL)
        return MPIDBG_ERR_UNAVAILABLE;
    mqs_process_info *info = inquiry_process_info(process, given);
    int code = MPILENS_ERROR_NOT_SET_UP;
    if (info != NULL) {
        inquiry->info = info->aside;
        code = process_info_refresh(info->aside);
    }
    if (code == mqs_ok) {
        inquiry_learn_names(inquiry->info);
        return MPIDBG_SUCCESS;
    }
    if (info != NULL)
        process_info_end_reading_ahead(info->aside);
    inquiry_leave(inquiry->former);
    return inquiry_result(code);
}

void inquiry_end(const struct inquiry *inquiry)
{
    process_info_end_reading_ahead(inquiry->info);
    inquiry_leave(inquiry->former);
}

int inquiry_result(int code)
{
#define CODE(constant, number, mpidbg_result, mpid_result, text) {constant, mpidbg_result},
    static const struct {
        int code, result;
    } results[] = {MPILENS_PUBLIC_CODES(CODE) MPILENS_OWN_CODES(CODE)};
#undef CODE
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (results[i].code == code)
            return results[i].result;
    return MPIDBG_ERR_UNAVAILABLE;
}

void inquiry_get_handle(const struct inquiry *inquiry, const struct mpilens_object_information *object,
                        struct mpilens_handle_information *ret_handle)
{
    *ret_handle = (struct mpilens_handle_information){.struct_size = sizeof *ret_handle};
    reply_get_handle_of(inquiry->info, object, ret_handle);
}

bool inquiry_is_freed(const struct mpilens_object_information *object)
{
    return object->freed != 0;
}

bool inquiry_is_gone(const struct inquiry *inquiry, const struct mpilens_object_information *object)
{
    return inquiry_is_freed(object) && reply_is_unused(inquiry->info, object);
}

int inquiry_run(mqs_process *process, mqs_process_info *given, inquiry_work *work, void *context)
{
    struct inquiry inquiry;
    int result = inquiry_begin(process, given, &inquiry);
    if (result != MPIDBG_SUCCESS)
        return result;
    int code = work(&inquiry, context);
    inquiry_end(&inquiry);
    return inquiry_result(code);
}
