/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about messages that matched probes hold.
 */
#include "facts/facts.h"
#include "mpid/mpid_internal.h"

int mpid_message_query(mpid_process_handle_t *process, langHandle message, int language, mpid_message_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_MESSAGE, message, language, handle);
}

int mpid_message_handle_free(mpid_message_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_message_query_basic(mpid_message_handle_t *handle, char **message_function, int *message_bitflags,
                             int *message_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_MESSAGE, false, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = mqs_ok;
    const bool is_null = (basic.object.flags & MPILENS_OBJECT_NULL) != 0;
    basic.name =
        message_function != NULL ? result_text(is_null ? basic.object.name : basic.object.function, true, &code) : NULL;
    return call_end_common(&call, &basic, code, message_function, message_bitflags, message_fortran_handle);
}

int mpid_message_query_envelope(mpid_message_handle_t *handle, int *message_source, int *message_world_source,
                                int *message_tag, int64_t *message_bytes)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_MESSAGE, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    const struct mpilens_message *record = call.info->object;
    const struct snapshot *copy = &call.info->reading.snapshot;
    const struct communicator_view view =
        snapshot_communicator_view(copy, snapshot_communicator(copy, record->communicator));
    MPID_GIVE(message_source, record->source);
    MPID_GIVE(message_world_source, peer_world_rank(&view, record->source));
    MPID_GIVE(message_tag, record->tag);
    MPID_GIVE(message_bytes, record->bytes <= INT64_MAX ? (int64_t)record->bytes : -1);
    return call_end(&call, mqs_ok);
}

int mpid_message_query_comm(mpid_message_handle_t *handle, mpid_comm_handle_t **message_comm)
{
    return handle_query_reference(handle, MPILENS_OBJECT_MESSAGE, offsetof(struct mpilens_message, communicator),
                                  MPILENS_OBJECT_COMMUNICATOR, message_comm);
}
