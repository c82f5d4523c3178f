/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Begins and ends every call of mpidbg.h.
 */
#include "mpidbg/mpidbg_call.h"

#include "mpidbg/mpidbg_names.h"
#include "mpidbg/mpidbg_setup.h"
#include "process/process_refresh.h"
#include "replies/handles.h"
#include "target/allocator.h"
#include "target/callbacks.h"

#include <string.h>

const mqs_basic_callbacks *inquiry_enter(const mqs_basic_callbacks **ret_former)
{
    *ret_former = basic_callbacks_exchange(inquiry_callbacks());
    const mqs_basic_callbacks *basic = basic_callbacks();
    if (basic == NULL)
        basic_callbacks_exchange(*ret_former);
    return basic;
}

void inquiry_leave(const mqs_basic_callbacks *former)
{
    basic_callbacks_exchange(former);
}

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
        inquiry_learn_names(inquiry);
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

void *inquiry_allocate(size_t count, size_t bytes)
{
    void *memory = allocate_array(count, bytes);
    if (memory != NULL)
        memset(memory, 0, count * bytes);
    return memory;
}

int inquiry_release(void *object)
{
    const mqs_basic_callbacks *former;
    if (object == NULL || inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    release(object);
    inquiry_leave(former);
    return MPIDBG_SUCCESS;
}

bool inquiry_null_handle(const struct inquiry *inquiry, int kind, mqs_taddr_t *ret_handle)
{
    const struct mpilens_process *root = &inquiry->info->reading.root.process;
    if (kind == MPILENS_OBJECT_REQUEST) {
        *ret_handle = (mqs_taddr_t)root->request_null;
        return true;
    }
    if (kind <= MPILENS_OBJECT_NONE || kind >= MPILENS_OBJECT_KIND_COUNT || !(root->known_nulls & 1u << kind))
        return false;
    *ret_handle = (mqs_taddr_t)root->null_handles[kind];
    return true;
}

void inquiry_get_handle(const struct inquiry *inquiry, struct mpilens_handle_information *ret_handle)
{
    *ret_handle = (struct mpilens_handle_information){.struct_size = sizeof *ret_handle};
    reply_get_handle(inquiry->info, ret_handle);
}

bool inquiry_is_freed(const struct mpilens_object_information *object)
{
    return object->freed != 0;
}

bool inquiry_is_gone(const struct mpilens_object_information *object)
{
    return object->freed && object->users == 0;
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
