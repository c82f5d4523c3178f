/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about infos, error handlers, statuses, and handles of every kind.
 */
#include "mpid/mpid_internal.h"
#include "replies/replies.h"
#include "target/target.h"

int mpid_handle_query_value(mpid_any_handle_t *handle, int *kind, mpid_address_t *c_handle, int *has_fortran_handle,
                            int *fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    const struct mpid_handle *opaque = (const void *)handle;
    if (opaque != NULL && opaque->kind == MPILENS_OBJECT_REQUEST) {
        struct mpilens_operation_information request;
        mpid_rc_t result = call_begin_request((mpid_request_handle_t *)(void *)handle, &call, &request);
        if (result != mpid_rc_ok)
            return result;
        basic = (struct mpid_basic){.object = {.kind = MPILENS_OBJECT_REQUEST, .handle = request.request}};
    } else {
        mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_NONE, false, &call, &basic);
        if (result != mpid_rc_ok)
            return result;
    }
    MPID_GIVE(kind, (int)basic.object.kind);
    MPID_GIVE(c_handle, basic.object.handle);
    MPID_GIVE(has_fortran_handle, (basic.flags & MPID_INFO_HANDLE_FINT) != 0);
    MPID_GIVE(fortran_handle, basic.fortran_handle);
    return call_end(&call, mqs_ok);
}

static int give_origin(const char *made_by, const char *freed_by, char **function, char **freed_function)
{
    int code = mqs_ok;
    char *made = function != NULL ? result_text(made_by, true, &code) : NULL;
    char *freed = freed_function != NULL ? result_text(freed_by, true, &code) : NULL;
    if (code == mqs_ok) {
        MPID_GIVE(function, made);
        MPID_GIVE(freed_function, freed);
    } else {
        release(made);
        release(freed);
    }
    return code;
}

int mpid_handle_query_origin(mpid_any_handle_t *handle, char **function, mpid_address_t *site, char **freed_function,
                             mpid_address_t *freed_site)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct mpilens_operation_information request = {.serial = 0};
    struct mpilens_handle_information information = {.struct_size = sizeof information};
    const struct mpid_handle *opaque = (const void *)handle;
    const bool is_request = opaque != NULL && opaque->kind == MPILENS_OBJECT_REQUEST;
    mpid_rc_t result = is_request ? call_begin_request((mpid_request_handle_t *)(void *)handle, &call, &request)
                                  : call_begin(handle, MPILENS_OBJECT_NONE, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    if (is_request && request.serial == 0)
        return call_end(&call, mqs_no_information);
    int code = is_request ? mqs_ok : reply_get_handle(call.info, &information);
    if (code == mqs_ok)
        code = give_origin(is_request ? request.function : object.function, information.freed_function, function,
                           freed_function);
    if (code == mqs_ok) {
        MPID_GIVE(site, is_request ? request.site : object.site);
        MPID_GIVE(freed_site, information.freed_site);
    }
    return call_end(&call, code);
}

static int collect_references(const struct mpid_call *call, struct answer_list *ret_users)
{
    struct mpilens_user_information user = {.struct_size = sizeof user};
    *ret_users = (struct answer_list){.item_bytes = sizeof(mpid_reference_t)};
    int code = reply_setup_user_iterator(call->info);
    while (code == mqs_ok && (code = reply_next_user(call->info, &user)) == mqs_ok) {
        const mpid_reference_t reference = {
            .kind = (int)user.kind, .c_handle = user.handle, .name = result_text(user.name, true, &code)};
        if (code == mqs_ok)
            code = answer_list_add(ret_users, &reference);
        if (code != mqs_ok)
            release(reference.name);
    }
    return code == mqs_end_of_list ? mqs_ok : code;
}

static void free_references(const struct answer_list *users)
{
    for (size_t i = 0; i < users->count; i++)
        release(((const mpid_reference_t *)users->items)[i].name);
}

int mpid_handle_query_users(mpid_any_handle_t *handle, int *num_users, mpid_reference_t **users)
{
    return handle_query_list(handle, MPILENS_OBJECT_NONE, collect_references, free_references, num_users, users);
}

int mpid_handle_free(mpid_any_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_info_query(mpid_process_handle_t *process, langHandle info, int language, mpid_info_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_INFO, info, language, handle);
}

int mpid_info_query_by_name(mpid_process_handle_t *process, const char *name, mpid_info_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_INFO, name, handle);
}

int mpid_info_handle_free(mpid_info_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_info_query_basic(mpid_info_handle_t *handle, char **info_name, int *info_bitflags, int *info_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_INFO, info_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    return call_end_common(&call, &basic, mqs_ok, info_name, info_bitflags, info_fortran_handle);
}

int mpid_info_query_entries(mpid_info_handle_t *handle, int *num_entries, mpid_keyvalue_pair_t **entries)
{
    return handle_query_list(handle, MPILENS_OBJECT_INFO, result_collect_pairs, result_free_pairs, num_entries,
                             entries);
}

int mpid_errhandler_query(mpid_process_handle_t *process, langHandle errhandler, int language,
                          mpid_errhandler_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_ERRHANDLER, errhandler, language, handle);
}

int mpid_errhandler_query_by_name(mpid_process_handle_t *process, const char *name, mpid_errhandler_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_ERRHANDLER, name, handle);
}

int mpid_errhandler_handle_free(mpid_errhandler_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_errhandler_query_basic(mpid_errhandler_handle_t *handle, char **eh_name, int *eh_bitflags,
                                mpid_address_t *eh_function, int *eh_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_errhandler_information errhandler = {.struct_size = sizeof errhandler};
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_ERRHANDLER, eh_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = mqs_ok;
    if (basic.object.serial != 0) {
        code = reply_get_errhandler(call.info, &errhandler);
        basic.flags |= result_attachable_flags(errhandler.attachable);
    }
    if (code == mqs_ok)
        MPID_GIVE(eh_function, errhandler.user_function);
    return call_end_common(&call, &basic, code, eh_name, eh_bitflags, eh_fortran_handle);
}

int mpid_status_query(mpid_process_handle_t *process, mpid_address_t status, mpid_status_handle_t **handle)
{
    struct mpid_call call;
    struct mpilens_status_information information = {.struct_size = sizeof information};
    if (handle == NULL || (mqs_taddr_t)status != status)
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin_process(process, true, &call);
    if (result != mpid_rc_ok)
        return result;
    int code = reply_get_status(call.info, (mqs_taddr_t)status, &information);
    if (code == mqs_ok)
        code = handle_make(&call, &(struct mpid_handle){.kind = MPILENS_OBJECT_STATUS, .value = status}, handle);
    return call_end(&call, code);
}

int mpid_status_handle_free(mpid_status_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_status_query_basic(mpid_status_handle_t *handle, int *status_bitflags, int *status_source, int *status_tag,
                            int *status_error, int64_t *status_bytes, int *status_cancelled)
{
    struct mpid_call call;
    struct mpilens_status_information status = {.struct_size = sizeof status};
    const struct mpid_handle *opaque = (const void *)handle;
    if (opaque == NULL || opaque->kind != MPILENS_OBJECT_STATUS)
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin_process(opaque->process, false, &call);
    if (result != mpid_rc_ok)
        return result;
    int code = reply_get_status(call.info, (mqs_taddr_t)opaque->value, &status);
    if (code == mqs_ok)
        MPID_GIVE(status_bitflags, status.ignored ? MPID_INFO_PREDEFINED : 0);
    if (code == mqs_ok && !status.ignored) {
        MPID_GIVE(status_source, status.source);
        MPID_GIVE(status_tag, status.tag);
        MPID_GIVE(status_error, status.error);
        MPID_GIVE(status_bytes, status.bytes);
        MPID_GIVE(status_cancelled, status.cancelled);
    }
    return call_end(&call, code);
}
