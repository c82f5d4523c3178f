/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about keys of attributes.
 */
#include "mpid/mpid_internal.h"
#include "replies/replies.h"

int mpid_keyval_query(mpid_process_handle_t *process, langHandle keyval, int language, mpid_keyval_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_KEYVAL, keyval, language, handle);
}

int mpid_keyval_query_by_name(mpid_process_handle_t *process, const char *name, mpid_keyval_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_KEYVAL, name, handle);
}

int mpid_keyval_handle_free(mpid_keyval_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_keyval_query_basic(mpid_keyval_handle_t *handle, char **keyval_name, int *keyval_bitflags,
                            mpid_address_t *keyval_copy_function, mpid_address_t *keyval_delete_function,
                            mpid_address_t *keyval_extra_state, int *keyval_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_keyval_information keyval = {.struct_size = sizeof keyval};
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_KEYVAL, keyval_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = mqs_ok;
    if (basic.object.serial != 0) {
        code = reply_get_keyval(call.info, &keyval);
        basic.flags |= result_attachable_flags(keyval.attachable);
    }
    if (code == mqs_ok) {
        MPID_GIVE(keyval_copy_function, keyval.copy_function);
        MPID_GIVE(keyval_delete_function, keyval.delete_function);
        MPID_GIVE(keyval_extra_state, keyval.extra_state);
    }
    return call_end_common(&call, &basic, code, keyval_name, keyval_bitflags, keyval_fortran_handle);
}
