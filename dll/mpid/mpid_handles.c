/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Debugging handles of the mpid_* interface: made by value or name, and found again.
 */
#include "mpid/mpid_internal.h"

#include "facts/facts.h"
#include "replies/replies.h"
#include "target/target.h"

#include <string.h>

int handle_make(const struct mpid_call *call, const struct mpid_handle *what, void *ret_handle)
{
    if (ret_handle == NULL)
        return mqs_ok;
    struct mpid_handle *made = allocate_array(1, sizeof *made);
    if (made == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    *made = *what;
    made->process = call->handle;
    memcpy(ret_handle, &(void *){made}, sizeof(void *));
    return mqs_ok;
}

int handle_make_object(const struct mpid_call *call, int kind, uint32_t serial, void *ret_handle)
{
    return handle_make(call, &(struct mpid_handle){.kind = kind, .serial = serial}, ret_handle);
}

int handle_make_from_address(const struct mpid_call *call, int kind, uint64_t address, void *ret_handle)
{
    const struct object_reference object = object_reference_get(&call->info->reading.snapshot, kind, address);
    if (address == 0 || object.kind == MPILENS_OBJECT_NONE)
        return mqs_no_information;
    return handle_make_object(call, kind, object.serial, ret_handle);
}

static bool has_language(int language, langHandle handle, enum mpilens_handle_language *ret_language,
                         uint64_t *ret_value)
{
    *ret_language = language == MPID_TYPE_LANG_FORTRAN ? MPILENS_HANDLE_FORTRAN : MPILENS_HANDLE_C;
    *ret_value = language == MPID_TYPE_LANG_FORTRAN ? (uint64_t)handle.fortranType : handle.cType;
    return language == MPID_TYPE_LANG_C || language == MPID_TYPE_LANG_FORTRAN;
}

static int query_request(const struct mpid_call *call, struct mpid_handle *made, void *ret_handle)
{
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    int code = reply_find_request(call->info, made->language, made->value, &request);
    if (code != mqs_ok)
        return code;
    made->operation_serial = request.serial;
    made->is_null = request.serial == 0;
    return handle_make(call, made, ret_handle);
}

static int query_object(const struct mpid_call *call, struct mpid_handle *made, void *ret_handle)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    int code = reply_find_object(call->info, made->kind, made->language, made->value, &object);
    if (code != mqs_ok)
        return code;
    made->serial = object.serial;
    made->is_null = object.serial == 0 && (object.flags & MPILENS_OBJECT_NULL) != 0;
    made->matched_time = made->kind == MPILENS_OBJECT_MESSAGE ? object.created : 0;
    return handle_make(call, made, ret_handle);
}

mpid_rc_t handle_query(mpid_process_handle_t *process, int kind, langHandle handle, int language, void *ret_handle)
{
    struct mpid_call call;
    struct mpid_handle made = {.kind = kind};
    if (ret_handle == NULL || !has_language(language, handle, &made.language, &made.value))
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin_process(process, true, &call);
    if (result != mpid_rc_ok)
        return result;
    return call_end(&call, kind == MPILENS_OBJECT_REQUEST ? query_request(&call, &made, ret_handle)
                                                          : query_object(&call, &made, ret_handle));
}

/* Finds the object of this name that lives, or was made last. */
static int find_by_name(const struct mpid_call *call, int kind, const char *name, uint32_t *ret_serial)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    bool found = false;
    bool found_freed = true;
    int code = reply_setup_object_iterator(call->info, kind);
    if (code != mqs_ok)
        return code;
    while ((code = reply_next_object(call->info, &object)) == mqs_ok)
        if (strcmp(object.name, name) == 0 && object.serial != 0 && (found_freed || !object.freed)) {
            *ret_serial = object.serial;
            found = true;
            found_freed = object.freed != 0;
        }
    if (code != mqs_end_of_list)
        return code;
    return found ? mqs_ok : mqs_no_information;
}

static bool names_null(const struct mpid_call *call, int kind, const char *name, struct mpid_handle *ret_null)
{
    const struct mpilens_process *root = &call->info->reading.root.process;
    if (strcmp(name, mpilens_null_handle_name(kind)) != 0 || !(root->known_nulls & (1u << kind)))
        return false;
    *ret_null = (struct mpid_handle){
        .kind = kind, .is_null = true, .language = MPILENS_HANDLE_C, .value = root->null_handles[kind]};
    return true;
}

mpid_rc_t handle_query_by_name(mpid_process_handle_t *process, int kind, const char *name, void *ret_handle)
{
    struct mpid_call call;
    struct mpid_handle made = {.kind = kind};
    if (ret_handle == NULL || name == NULL || name[0] == '\0')
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin_process(process, true, &call);
    if (result != mpid_rc_ok)
        return result;
    int code = names_null(&call, kind, name, &made) ? mqs_ok : find_by_name(&call, kind, name, &made.serial);
    return call_end(&call, code == mqs_ok ? handle_make(&call, &made, ret_handle) : code);
}

/* Finds the handle's object, which may be gone since the process moved on. */
static int find_again(const struct mpid_call *call, const struct mpid_handle *handle,
                      struct mpilens_object_information *ret_object)
{
    const bool is_message = handle->kind == MPILENS_OBJECT_MESSAGE;
    int code = handle->is_null || is_message
                   ? reply_find_object(call->info, handle->kind, handle->language, handle->value, ret_object)
                   : reply_find_object_by_serial(call->info, handle->kind, handle->serial, ret_object);
    if (code == mqs_ok && is_message && ret_object->created != handle->matched_time)
        code = mqs_no_information; /* another one of that handle */
    return code == mqs_no_information ? MPILENS_ERROR_NO_CURRENT : code;
}

mpid_rc_t call_begin_basic(const void *opaque, int kind, struct mpid_call *call,
                           struct mpilens_object_information *ret_object)
{
    const struct mpid_handle *handle = opaque;
    if (handle == NULL || (kind != MPILENS_OBJECT_NONE && handle->kind != kind) ||
        handle->kind >= MPILENS_OBJECT_KIND_COUNT)
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin_process(handle->process, false, call);
    if (result != mpid_rc_ok)
        return result;
    *ret_object = (struct mpilens_object_information){.struct_size = sizeof *ret_object};
    int code = find_again(call, handle, ret_object);
    return code == mqs_ok ? mpid_rc_ok : call_end(call, code);
}

mpid_rc_t call_begin(const void *handle, int kind, struct mpid_call *call,
                     struct mpilens_object_information *ret_object)
{
    mpid_rc_t result = call_begin_basic(handle, kind, call, ret_object);
    if (result == mpid_rc_ok && ((const struct mpid_handle *)handle)->is_null)
        return call_end(call, mqs_no_information);
    return result;
}

mpid_rc_t call_begin_request(const mpid_request_handle_t *opaque, struct mpid_call *call,
                             struct mpilens_operation_information *ret_request)
{
    const struct mpid_handle *handle = (const void *)opaque;
    if (handle == NULL || handle->kind != MPILENS_OBJECT_REQUEST)
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin_process(handle->process, false, call);
    if (result != mpid_rc_ok)
        return result;
    *ret_request = (struct mpilens_operation_information){.struct_size = sizeof *ret_request};
    int code = reply_find_request(call->info, handle->language, handle->value, ret_request);
    if (code == mqs_no_information || (code == mqs_ok && ret_request->serial != handle->operation_serial))
        code = MPILENS_ERROR_NO_CURRENT;
    return code == mqs_ok ? mpid_rc_ok : call_end(call, code);
}
