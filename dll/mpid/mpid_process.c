/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points of the bootstrap.
 */
#include "mpid/mpid_internal.h"
#include "target/target.h"

mpid_rc_t mpid_get_api_version(uint64_t *version)
{
    if (version == NULL)
        return mpid_rc_bad_input;
    *version = MPID_API_VERSION;
    return mpid_rc_ok;
}

mpid_rc_t mpid_get_version_string(const char **string)
{
    if (string == NULL)
        return mpid_rc_bad_input;
    *string = "mpilens " MPILENS_VERSION ", draft of the handle debugging interface of April 2025";
    return mpid_rc_ok;
}

mpid_rc_t mpid_initialize(uint64_t api_version, const mpid_callbacks_t *callbacks)
{
    if (api_version != MPID_API_VERSION)
        return mpid_rc_incompatible;
    if (callbacks == NULL || callbacks->memory_alloc == NULL || callbacks->memory_free == NULL ||
        callbacks->symbol_addr == NULL || callbacks->memory_read == NULL)
        return mpid_rc_callback_error;
    call_use_callbacks(callbacks);
    return mpid_rc_ok;
}

mpid_rc_t mpid_finalize(void)
{
    call_use_callbacks(NULL);
    return mpid_rc_ok;
}

mpid_rc_t mpid_process_initialize(mpid_address_space_context_t *context,
                                  mpid_process_handle_t ***array_of_mpi_process_handles, int *num_mpi_processes)
{
    const struct allocator *before = NULL;
    if (!call_enter(&before))
        return mpid_rc_callback_error;
    if (array_of_mpi_process_handles == NULL || num_mpi_processes == NULL) {
        call_leave(before);
        return mpid_rc_bad_input;
    }
    mpid_process_handle_t **handles = allocate_array(1, sizeof *handles);
    int code = handles != NULL ? process_handle_open(context, handles) : MPILENS_ERROR_NO_MEMORY;
    if (code == mqs_ok) {
        *array_of_mpi_process_handles = handles;
        *num_mpi_processes = 1;
    } else {
        release(handles);
    }
    call_leave(before);
    return call_result(code);
}

mpid_rc_t mpid_process_handle_free(mpid_process_handle_t *handle)
{
    if (handle == NULL)
        return mpid_rc_ok;
    const struct allocator *before = NULL;
    if (!call_enter(&before))
        return mpid_rc_callback_error;
    process_handle_close(handle);
    call_leave(before);
    return mpid_rc_ok;
}
