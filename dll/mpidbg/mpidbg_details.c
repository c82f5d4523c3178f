/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_X_query_details: of communicators, error handlers, requests and statuses what the structs of mpidbg.h do not
 * hold.
 */
#include "mpidbg/mpidbg_internal.h"
#include "mpilens/layout.h"
#include "replies/replies.h"
#include "target/target.h"

static void set_group(const struct inquiry *inquiry, void *answer, uint32_t serial,
                      struct mpidbg_reference_t *reference)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    *reference = answer_no_reference(answer);
    if (serial != 0 && reply_find_object_by_serial(inquiry->info, MPILENS_OBJECT_GROUP, serial, &object) == mqs_ok)
        *reference = (struct mpidbg_reference_t){MPILENS_OBJECT_GROUP, (int)serial, 0, pool_text(answer, object.name)};
}

static void set_values(struct mpidbg_comm_details_t *details, const struct mpilens_topology_information *topology,
                       const int32_t *values)
{
    const size_t first = (size_t)topology->first_count;
    const size_t second = (size_t)topology->second_count;
    if (topology->kind == MPILENS_TOPOLOGY_CARTESIAN) {
        answer_keep(details, values + 2 * first, first, sizeof(int), (void **)&details->comm_cart_coordinates);
        details->comm_num_cart_coordinates = details->comm_cart_coordinates != NULL ? (int)first : 0;
    }
    if (topology->kind != MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH)
        return;
    answer_keep(details, values, first, sizeof(int), (void **)&details->comm_sources);
    answer_keep(details, values + first, second, sizeof(int), (void **)&details->comm_destinations);
    details->comm_num_sources = details->comm_sources != NULL ? (int)first : 0;
    details->comm_num_destinations = details->comm_destinations != NULL ? (int)second : 0;
    if (!topology->weighted)
        return;
    answer_keep(details, values + first + second, first, sizeof(int), (void **)&details->comm_source_weights);
    answer_keep(details, values + 2 * first + second, second, sizeof(int), (void **)&details->comm_destination_weights);
}

/* How many values its kind and counts need; -1: they make no sense. */
static int64_t values_needed(const struct mpilens_topology_information *topology)
{
    const int64_t first = topology->first_count;
    const int64_t second = topology->second_count;
    if (first < 0 || second < 0)
        return -1;
    return topology->kind == MPILENS_TOPOLOGY_CARTESIAN ? 3 * first : (first + second) * (topology->weighted ? 2 : 1);
}

static int set_topology(const struct inquiry *inquiry, struct mpidbg_comm_details_t *details)
{
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    if (reply_get_topology(inquiry->info, &topology) != mqs_ok)
        return mqs_ok;
    details->comm_topology = (int)topology.kind;
    details->comm_topology_reordered = topology.reordered != 0;
    const int64_t needed = values_needed(&topology);
    if (needed <= 0 || needed > topology.value_count)
        return mqs_ok;
    int32_t *values = inquiry_allocate(topology.value_count, sizeof *values);
    if (values == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    size_t count = 0;
    int code = reply_get_topology_values(inquiry->info, values, topology.value_count, &count);
    if (code == mqs_ok && count >= (size_t)needed)
        set_values(details, &topology, values);
    release(values);
    return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
}

static int fill_comm(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_comm_details_t *details = answer;
    struct mpilens_communicator_information communicator = {.struct_size = sizeof communicator};
    struct mpilens_process_information process = {.struct_size = sizeof process, .world_rank = -1};
    const bool is_null = (object->flags & MPILENS_OBJECT_NULL) != 0;
    int code = is_null ? mqs_ok : reply_get_communicator_object(inquiry->info, &communicator);
    if (code != mqs_ok)
        return code;
    reply_get_process(inquiry->info, &process);
    details->comm_unique_id = communicator.id;
    details->comm_world_rank = process.world_rank;
    if (!is_null) {
        code = set_topology(inquiry, details);
        if (code == mqs_ok)
            code = answer_pairs(inquiry, answer, &details->comm_num_hints, &details->comm_hints);
    }
    set_group(inquiry, answer, communicator.group_serial, &details->comm_group);
    details->comm_group.ref_c_handle = (mqs_taddr_t)communicator.group;
    set_group(inquiry, answer, communicator.remote_group_serial, &details->comm_remote_group);
    details->comm_remote_group.ref_c_handle = (mqs_taddr_t)communicator.remote_group;
    answer_refer(inquiry, answer, MPILENS_OBJECT_ERRHANDLER, communicator.errhandler, &details->comm_errhandler);
    answer_refer_to_communicator(inquiry, answer, communicator.parent_id, &details->comm_parent);
    return code;
}

static int fill_errhandler(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_errhandler_details_t *details = answer;
    struct mpilens_errhandler_information errhandler = {.struct_size = sizeof errhandler};
    if (object->flags & MPILENS_OBJECT_NULL)
        return mqs_ok;
    int code = reply_get_errhandler(inquiry->info, &errhandler);
    details->eh_attachable = (int)errhandler.attachable;
    details->eh_function = (mqs_taddr_t)errhandler.user_function;
    return code;
}

MPIDBG_OBJECT_QUERY(mpidbg_comm_query_details, MPILENS_OBJECT_COMMUNICATOR, struct mpidbg_comm_details_t, fill_comm)
MPIDBG_FREE(mpidbg_comm_details_free, struct mpidbg_comm_details_t)
MPIDBG_OBJECT_QUERY(mpidbg_errhandler_query_details, MPILENS_OBJECT_ERRHANDLER, struct mpidbg_errhandler_details_t,
                    fill_errhandler)
MPIDBG_FREE(mpidbg_errhandler_details_free, struct mpidbg_errhandler_details_t)
MPIDBG_FREE(mpidbg_request_details_free, struct mpidbg_request_details_t)
MPIDBG_FREE(mpidbg_status_details_free, struct mpidbg_status_details_t)

static int request_flags(const struct mpilens_operation_information *request)
{
    if (request->serial == 0)
        return MPIDBG_OBJECT_INFO_PREDEFINED | MPIDBG_OBJECT_INFO_NULL;
    return request->state == MPILENS_OPERATION_RELEASED ? MPIDBG_OBJECT_INFO_FREED_HANDLE : 0;
}

static void set_request(const struct inquiry *inquiry, const struct mpilens_operation_information *request,
                        struct mpidbg_request_details_t *details)
{
    const bool is_null = request->serial == 0;
    struct mpidbg_object_info_t *object = &details->req_object;
    object->oi_kind = MPILENS_OBJECT_REQUEST;
    object->oi_bitflags = request_flags(request);
    object->oi_c_handle = (mqs_taddr_t)request->request;
    object->oi_has_fortran_handle = request->has_fortran_handle != 0;
    object->oi_fortran_handle = request->has_fortran_handle ? (int)request->fortran_handle : -1;
    object->oi_name = pool_text(details, is_null ? request->function : "");
    object->oi_function = pool_text(details, is_null ? "" : request->function);
    object->oi_site = (mqs_taddr_t)request->site;
    object->oi_freed_by = pool_text(details, "");
    details->req_class = (int)request->operation_class;
    details->req_persistent = request->persistent != 0;
    details->req_active = request->active != 0;
    details->req_complete = request->complete != 0;
    details->req_matched = !(request->flags & MPILENS_OPERATION_RECEIVE)                      ? -1
                           : request->state == MPILENS_OPERATION_MATCHED || request->complete ? 1
                                                                                              : 0;
    details->req_peer = request->peer_local;
    details->req_peer_world = request->peer_world;
    details->req_tag = request->tag_wild ? -1 : request->tag;
    details->req_count = request->count;
    details->req_bytes = request->bytes;
    details->req_datatype = pool_text(details, request->datatype);
    details->req_datatype_handle = (mqs_taddr_t)request->datatype_handle;
    details->req_buffer = (mqs_taddr_t)request->buffer;
    answer_refer_to_communicator(inquiry, details, request->communicator_id, &details->req_comm);
    struct mpilens_object_information target = {.struct_size = sizeof target};
    details->req_target = answer_no_reference(details);
    if (request->object_serial != 0 && reply_find_object_by_serial(inquiry->info, (int)request->object_kind,
                                                                   request->object_serial, &target) == mqs_ok)
        details->req_target = (struct mpidbg_reference_t){(int)target.kind, (int)target.serial,
                                                          (mqs_taddr_t)target.handle, pool_text(details, target.name)};
}

static int make_request_details(const struct inquiry *inquiry, mqs_taddr_t handle, void **ret_details)
{
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    int code = reply_find_request(inquiry->info, MPILENS_HANDLE_C, handle, &request);
    if (code != mqs_ok)
        return code;
    struct mpidbg_request_details_t *details = pool_begin(sizeof *details);
    if (details == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    set_request(inquiry, &request, details);
    return answer_finish(details, mqs_ok, ret_details);
}

static int make_status_details(const struct inquiry *inquiry, mqs_taddr_t address, void **ret_details)
{
    struct mpilens_status_information status = {.struct_size = sizeof status};
    if (reply_get_status(inquiry->info, address, &status) != mqs_ok)
        return mqs_no_information;
    struct mpidbg_status_details_t *details = pool_begin(sizeof *details);
    if (details == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    *details = (struct mpidbg_status_details_t){(int)status.ignored, status.source,    status.tag,
                                                status.error,        status.cancelled, status.bytes};
    return answer_finish(details, mqs_ok, ret_details);
}

MPIDBG_OTHER_QUERY(mpidbg_request_query_details, handle, struct mpidbg_request_details_t, make_request_details)
MPIDBG_OTHER_QUERY(mpidbg_status_query_details, address, struct mpidbg_status_details_t, make_status_details)
