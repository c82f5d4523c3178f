/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The frame of every call of mpid.h, and access to the process through the callbacks of that interface.
 */
#include "mpid/mpid_internal.h"

#include "process/process.h"
#include "target/target.h"

static const mpid_callbacks_t *debugger;

static void *allocate(size_t bytes)
{
    void *memory = NULL;
    return debugger->memory_alloc(bytes, &memory) == mpid_rc_ok ? memory : NULL;
}

static void free_memory(void *memory)
{
    debugger->memory_free(memory);
}

static const struct allocator allocator = {allocate, free_memory};

static int fetch(const struct target *target, mqs_taddr_t address, int bytes, void *ret_bytes)
{
    const mpid_address_t from = address;
    return debugger->memory_read(target->process, NULL, &from, (mpid_size_t)bytes, ret_bytes) == mpid_rc_ok
               ? mqs_ok
               : MPILENS_ERROR_UNREADABLE;
}

static int find_symbol(const struct target *target, const char *name, mqs_taddr_t *ret_address)
{
    mpid_address_t address = 0;
    if (debugger->symbol_addr(target->process, NULL, name, &address, NULL) != mpid_rc_ok || address == 0 ||
        (mqs_taddr_t)address != address)
        return MPILENS_ERROR_RUNTIME_NOT_LOADED;
    *ret_address = (mqs_taddr_t)address;
    return mqs_ok;
}

/* A target's process is the debugger's address space. */
static const struct target_access access_of_debugger = {fetch, find_symbol};

void call_use_callbacks(const mpid_callbacks_t *given)
{
    debugger = given;
}

bool call_enter(const struct allocator **ret_before)
{
    if (debugger != NULL)
        *ret_before = allocator_exchange(&allocator);
    return debugger != NULL;
}

void call_leave(const struct allocator *before)
{
    allocator_exchange(before);
}

int process_handle_open(mpid_address_space_context_t *context, mpid_process_handle_t **ret_handle)
{
    mqs_process_info *info = NULL;
    mpid_process_handle_t *handle = allocate_array(1, sizeof *handle);
    if (handle == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    int code = process_info_make(&access_of_debugger, context, NULL, &info);
    *handle = (struct _mpid_process_handle_t){info};
    if (code == mqs_ok)
        code = process_info_attach(info);
    if (code == mqs_ok)
        *ret_handle = handle;
    else
        process_handle_close(handle);
    return code;
}

void process_handle_close(mpid_process_handle_t *handle)
{
    if (handle->process_info != NULL)
        process_info_free(handle->process_info);
    release(handle);
}

mpid_rc_t call_result(int code)
{
#define CODE(constant, number, mpidbg_result, mpid_result, text) {constant, mpid_result},
    static const struct {
        int code;
        mpid_rc_t result;
    } results[] = {MPILENS_PUBLIC_CODES(CODE) MPILENS_OWN_CODES(CODE)};
#undef CODE
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (results[i].code == code)
            return results[i].result;
    return mpid_rc_error;
}

mpid_rc_t call_begin_process(mpid_process_handle_t *handle, bool look_anew, struct mpid_call *call)
{
    if (debugger == NULL)
        return mpid_rc_callback_error;
    if (handle == NULL)
        return mpid_rc_bad_input;
    *call =
        (struct mpid_call){.handle = handle, .info = handle->process_info, .before = allocator_exchange(&allocator)};
    int code = look_anew ? process_info_refresh(handle->process_info) : mqs_ok;
    return code == mqs_ok ? mpid_rc_ok : call_end(call, code);
}

mpid_rc_t call_end(struct mpid_call *call, int code)
{
    process_info_end_reading_ahead(call->info);
    call_leave(call->before);
    return call_result(code);
}

mpid_rc_t handle_free(void *handle)
{
    if (handle == NULL)
        return mpid_rc_ok;
    if (debugger == NULL)
        return mpid_rc_callback_error;
    debugger->memory_free(handle);
    return mpid_rc_ok;
}
