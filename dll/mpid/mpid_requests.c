/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about requests.
 */
#include "mpid/mpid_internal.h"

int mpid_request_query(mpid_process_handle_t *process, langHandle request, int language, mpid_request_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_REQUEST, request, language, handle);
}

int mpid_request_handle_free(mpid_request_handle_t *handle)
{
    return handle_free(handle);
}

/* A null request has no operation. */
static mpid_rc_t begin_operation(mpid_request_handle_t *handle, struct mpid_call *call,
                                 struct mpilens_operation_information *ret_request)
{
    mpid_rc_t result = call_begin_request(handle, call, ret_request);
    if (result == mpid_rc_ok && ret_request->serial == 0)
        return call_end(call, mqs_no_information);
    return result;
}

static int request_flags(const struct mpilens_operation_information *request)
{
    if (request->serial == 0)
        return MPID_INFO_NULL | MPID_INFO_PREDEFINED;
    return (request->request != 0 ? MPID_INFO_HANDLE_C : 0) | (request->persistent ? MPID_INFO_PERSISTENT : 0) |
           (request->active ? MPID_INFO_ACTIVE : 0) | (request->complete ? MPID_INFO_COMPLETE : 0) |
           (request->state == MPILENS_OPERATION_RELEASED ? MPID_INFO_FREED_HANDLE : 0);
}

int mpid_request_query_basic(mpid_request_handle_t *handle, char **req_function, int *req_bitflags, int *req_class)
{
    struct mpid_call call;
    struct mpilens_operation_information request;
    mpid_rc_t result = call_begin_request(handle, &call, &request);
    if (result != mpid_rc_ok)
        return result;
    int code = mqs_ok;
    char *function = req_function != NULL ? result_text(request.function, true, &code) : NULL;
    if (code == mqs_ok) {
        MPID_GIVE(req_function, function);
        MPID_GIVE(req_bitflags, request_flags(&request));
        MPID_GIVE(req_class, (int)request.operation_class);
    }
    return call_end(&call, code);
}

int mpid_request_query_message(mpid_request_handle_t *handle, int *req_peer, int *req_world_peer, int *req_tag,
                               int64_t *req_bytes, mpid_address_t *req_buffer, mpid_address_t *req_datatype)
{
    struct mpid_call call;
    struct mpilens_operation_information request;
    mpid_rc_t result = begin_operation(handle, &call, &request);
    if (result != mpid_rc_ok)
        return result;
    const bool has_tag = request.operation_class & MPILENS_OPERATION_MESSAGE_CLASSES && !request.tag_wild;
    MPID_GIVE(req_peer, request.peer_local);
    MPID_GIVE(req_world_peer, request.peer_world);
    MPID_GIVE(req_tag, has_tag ? request.tag : -1);
    MPID_GIVE(req_bytes, request.bytes);
    MPID_GIVE(req_buffer, request.buffer);
    MPID_GIVE(req_datatype, request.datatype_handle);
    return call_end(&call, mqs_ok);
}

int mpid_request_query_comm(mpid_request_handle_t *handle, mpid_comm_handle_t **req_comm)
{
    struct mpid_call call;
    struct mpilens_operation_information request;
    mpid_rc_t result = begin_operation(handle, &call, &request);
    if (result != mpid_rc_ok)
        return result;
    const struct mpilens_communicator *record =
        request.communicator_id != 0
            ? snapshot_communicator_by_id(&call.info->reading.snapshot, request.communicator_id)
            : NULL;
    return call_end(&call, record != NULL
                               ? handle_make_object(&call, MPILENS_OBJECT_COMMUNICATOR, record->serial, req_comm)
                               : mqs_no_information);
}

int mpid_request_query_object(mpid_request_handle_t *handle, mpid_any_handle_t **req_object)
{
    struct mpid_call call;
    struct mpilens_operation_information request;
    mpid_rc_t result = begin_operation(handle, &call, &request);
    if (result != mpid_rc_ok)
        return result;
    return call_end(&call, request.object_kind != MPILENS_OBJECT_NONE && request.object_serial != 0
                               ? handle_make_object(&call, (int)request.object_kind, request.object_serial, req_object)
                               : mqs_no_information);
}
