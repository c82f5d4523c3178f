/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The frame of every call of mpid.h, and what turns the callbacks of that interface into those of the reader.
 */
#include "mpid/mpid_call.h"

#include "process/process_refresh.h"
#include "target/callbacks.h"

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

static mpid_process_handle_t *handle_of(const void *process)
{
    return (mpid_process_handle_t *)(uintptr_t)process;
}

static void put_image_info(mqs_image *image, mqs_image_info *info)
{
    handle_of(image)->image_info = info;
}

static mqs_image_info *get_image_info(mqs_image *image)
{
    return handle_of(image)->image_info;
}

static void put_process_info(mqs_process *process, mqs_process_info *info)
{
    handle_of(process)->process_info = info;
}

static mqs_process_info *get_process_info(mqs_process *process)
{
    return handle_of(process)->process_info;
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *ret_address)
{
    mpid_address_t address = 0;
    if (debugger->symbol_addr(handle_of(image)->context, NULL, name, &address, NULL) != mpid_rc_ok ||
        (mqs_taddr_t)address != address)
        return mqs_no_information;
    *ret_address = (mqs_taddr_t)address;
    return mqs_ok;
}

static mqs_image *get_image(mqs_process *process)
{
    return (mqs_image *)(void *)process;
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int bytes, void *ret_data)
{
    const mpid_address_t from = address;
    return debugger->memory_read(handle_of(process)->context, NULL, &from, (mpid_size_t)bytes, ret_data) == mpid_rc_ok
               ? mqs_ok
               : mqs_no_information;
}

static const mqs_basic_callbacks basic = {
    .mqs_malloc_fp = allocate,
    .mqs_free_fp = free_memory,
    .mqs_put_image_info_fp = put_image_info,
    .mqs_get_image_info_fp = get_image_info,
    .mqs_put_process_info_fp = put_process_info,
    .mqs_get_process_info_fp = get_process_info,
};
static const mqs_image_callbacks of_image = {.mqs_find_symbol_fp = find_symbol};
static const mqs_process_callbacks of_process = {.mqs_get_image_fp = get_image, .mqs_fetch_data_fp = fetch_data};

void mpid_use_callbacks(const mpid_callbacks_t *given)
{
    debugger = given;
}

bool mpid_enter(const mqs_basic_callbacks **ret_before)
{
    if (debugger != NULL)
        *ret_before = basic_callbacks_exchange(&basic);
    return debugger != NULL;
}

void mpid_leave(const mqs_basic_callbacks *before)
{
    basic_callbacks_exchange(before);
}

void mpid_close(mpid_process_handle_t *handle)
{
    mqs_destroy_process_info(handle->process_info);
    mqs_destroy_image_info(handle->image_info);
    release(handle);
}

int mpid_open(mpid_address_space_context_t *context, mpid_process_handle_t **ret_handle)
{
    mpid_process_handle_t *handle = allocate_array(1, sizeof *handle);
    if (handle == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    *handle = (struct _mpid_process_handle_t){.context = context};
    mqs_process *process = (mqs_process *)(void *)handle;
    int code = mqs_setup_image(get_image(process), &of_image);
    if (code == mqs_ok)
        code = mqs_setup_process(process, &of_process);
    if (code == mqs_ok)
        code = mqs_process_has_queues(process, NULL);
    if (code == mqs_ok)
        *ret_handle = handle;
    else
        mpid_close(handle);
    return code;
}

mpid_rc_t mpid_result(int code)
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

mpid_rc_t mpid_begin_process(mpid_process_handle_t *handle, bool look_anew, struct mpid_call *call)
{
    if (debugger == NULL)
        return mpid_rc_callback_error;
    if (handle == NULL)
        return mpid_rc_bad_input;
    *call =
        (struct mpid_call){.handle = handle, .info = handle->process_info, .before = basic_callbacks_exchange(&basic)};
    int code = look_anew ? process_info_refresh(handle->process_info) : mqs_ok;
    return code == mqs_ok ? mpid_rc_ok : mpid_end(call, code);
}

mpid_rc_t mpid_end(struct mpid_call *call, int code)
{
    process_info_end_reading_ahead(call->info);
    mpid_leave(call->before);
    return mpid_result(code);
}

mpid_rc_t mpid_free(void *handle)
{
    if (handle == NULL)
        return mpid_rc_ok;
    if (debugger == NULL)
        return mpid_rc_callback_error;
    debugger->memory_free(handle);
    return mpid_rc_ok;
}
