/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about communicators.
 */
#include "facts/facts.h"
#include "mpid/mpid_internal.h"
#include "replies/replies.h"
#include "target/target.h"

#include <limits.h>
#include <string.h>

int mpid_comm_query(mpid_process_handle_t *process, langHandle comm, int language, mpid_comm_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_COMMUNICATOR, comm, language, handle);
}

int mpid_comm_query_by_name(mpid_process_handle_t *process, const char *name, mpid_comm_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_COMMUNICATOR, name, handle);
}

int mpid_comm_handle_free(mpid_comm_handle_t *handle)
{
    return handle_free(handle);
}

static int topology_flags(const struct mpid_call *call)
{
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    if (reply_get_topology(call->info, &topology) != mqs_ok)
        return 0;
    const int reordered = topology.reordered ? MPID_COMM_INFO_TOPO_REORDERED : 0;
    switch (topology.kind) {
    case MPILENS_TOPOLOGY_CARTESIAN:
        return MPID_COMM_INFO_CARTESIAN | reordered;
    case MPILENS_TOPOLOGY_GRAPH:
        return MPID_COMM_INFO_GRAPH | reordered;
    case MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH:
        return MPID_COMM_INFO_DIST_GRAPH | reordered;
    default:
        return 0;
    }
}

/* Those that have a value; a key_name of NULL ends them. */
static int make_extra(const struct mpilens_communicator_information *communicator,
                      const struct mpilens_handle_information *handle, mpid_keyvalue_pair_t **ret_extra)
{
    char numbers[4][24];
    const uint64_t values[] = {communicator->id, communicator->parent_id, communicator->site, handle->freed_site};
    for (size_t i = 0; i < 4; i++) {
        struct text text = text_begin(numbers[i], sizeof numbers[i]);
        if (values[i] != 0)
            text_add_hexadecimal(&text, values[i]);
    }
    const char *const pairs[][2] = {{"unique_id", numbers[0]},
                                    {"parent", communicator->parent_name},
                                    {"parent_unique_id", numbers[1]},
                                    {"function", communicator->function},
                                    {"site", numbers[2]},
                                    {"freed_function", handle->freed_function},
                                    {"freed_site", numbers[3]}};
    const size_t limit = sizeof pairs / sizeof pairs[0];
    mpid_keyvalue_pair_t *extra = allocate_array(limit + 1, sizeof *extra);
    if (extra == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    int code = mqs_ok;
    size_t count = 0;
    for (size_t i = 0; i < limit; i++)
        if (pairs[i][1][0] != '\0') {
            extra[count].key_name = result_text(pairs[i][0], false, &code);
            extra[count++].value = result_text(pairs[i][1], false, &code);
        }
    extra[count] = (mpid_keyvalue_pair_t){NULL, NULL};
    if (code == mqs_ok) {
        *ret_extra = extra;
        return mqs_ok;
    }
    for (size_t i = 0; i < count; i++) {
        release(extra[i].key_name);
        release(extra[i].value);
    }
    release(extra);
    return code;
}

int mpid_comm_query_basic(mpid_comm_handle_t *handle, char **comm_name, enum mpid_comm_info_bitmap_t *comm_bitflags,
                          int *comm_rank, int *comm_size, int *comm_fortran_handle, mpid_address_t *comm_cxx_handle,
                          mpid_keyvalue_pair_t **comm_extra_info)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_communicator_information communicator = {.struct_size = sizeof communicator, .rank = -1};
    struct mpilens_handle_information information = {.struct_size = sizeof information};
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_COMMUNICATOR, comm_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = mqs_ok;
    if (basic.object.serial != 0) {
        code = reply_get_communicator_object(call.info, &communicator);
        if (code == mqs_ok)
            code = reply_get_handle(call.info, &information);
        basic.flags |= topology_flags(&call) | (communicator.intercommunicator ? MPID_COMM_INFO_INTERCOMM : 0);
    }
    basic.flags &= 0xfff; /* the flags of communicators */
    if (code == mqs_ok && comm_extra_info != NULL)
        code = make_extra(&communicator, &information, comm_extra_info);
    if (code == mqs_ok) {
        MPID_GIVE(comm_bitflags, (enum mpid_comm_info_bitmap_t)basic.flags);
        MPID_GIVE(comm_rank, communicator.rank);
        MPID_GIVE(comm_size, communicator.size);
        MPID_GIVE(comm_cxx_handle, 0);
    }
    return call_end_common(&call, &basic, code, comm_name, NULL, comm_fortran_handle);
}

int mpid_comm_query_procs(mpid_comm_handle_t *handle, int *comm_num_local_procs, mpid_process_t **comm_local_procs,
                          int *comm_num_remote_procs, mpid_process_t **comm_remote_procs)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct answer_list local = {.items = NULL};
    struct answer_list remote = {.items = NULL};
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_COMMUNICATOR, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = answer_members(call.info, 0, &local);
    if (code == mqs_ok && object.flags & MPILENS_COMMUNICATOR_INTER)
        code = answer_members(call.info, 1, &remote);
    result_give_list(&local, code, comm_num_local_procs, comm_local_procs);
    result_give_list(&remote, code, comm_num_remote_procs, comm_remote_procs);
    return call_end(&call, code);
}

static int read_topology(const struct mpid_call *call, struct answer_list *ret_parts)
{
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    size_t count = 0;
    int code = reply_get_topology(call->info, &topology);
    if (code != mqs_ok || topology.kind == MPILENS_TOPOLOGY_NONE)
        return code;
    const size_t first = topology.first_count > 0 ? (size_t)topology.first_count : 0;
    const size_t second = topology.kind == MPILENS_TOPOLOGY_CARTESIAN ? first
                          : topology.second_count > 0                 ? (size_t)topology.second_count
                                                                      : 0;
    int32_t *values = allocate_array(topology.value_count, sizeof *values);
    if (values == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    code = reply_get_topology_values(call->info, values, topology.value_count, &count);
    if (code == mqs_ok && count < first + second)
        code = mqs_no_information;
    if (code == mqs_ok)
        code = result_part(values, first, sizeof *values, &ret_parts[0]);
    if (code == mqs_ok)
        code = result_part(values + first, second, sizeof *values, &ret_parts[1]);
    if (code == mqs_ok)
        code = result_part(values + first + second, count - first - second, sizeof *values, &ret_parts[2]);
    release(values);
    return code;
}

int mpid_comm_query_topo(mpid_comm_handle_t *handle, int *first_length, int **cart_dims_or_graph_indexes,
                         int *second_length, int **cart_periods_or_graph_edges, int *third_length,
                         int **cart_coordinates_or_graph_weights)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct answer_list parts[3] = {{.items = NULL}};
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_COMMUNICATOR, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = read_topology(&call, parts);
    result_give_list(&parts[0], code, first_length, cart_dims_or_graph_indexes);
    result_give_list(&parts[1], code, second_length, cart_periods_or_graph_edges);
    result_give_list(&parts[2], code, third_length, cart_coordinates_or_graph_weights);
    return call_end(&call, code);
}

static void free_attributes(const struct answer_list *attributes)
{
    const mpid_attribute_pair_t *pairs = attributes->items;
    for (size_t i = 0; i < attributes->count; i++)
        release(pairs[i].keyval_name);
}

static int collect_attributes(const struct mpid_call *call, struct answer_list *ret_attributes)
{
    struct mpilens_attribute_information attribute = {.struct_size = sizeof attribute};
    *ret_attributes = (struct answer_list){.item_bytes = sizeof(mpid_attribute_pair_t)};
    int code = reply_setup_attribute_iterator(call->info);
    while (code == mqs_ok && (code = reply_next_attribute(call->info, &attribute)) == mqs_ok) {
        const mpid_attribute_pair_t pair = {.keyval_name = result_text(attribute.keyval_name, true, &code),
                                            .value = attribute.value,
                                            .keyval = attribute.keyval_handle};
        if (code == mqs_ok)
            code = answer_list_add(ret_attributes, &pair);
        if (code != mqs_ok)
            release(pair.keyval_name);
    }
    return code == mqs_end_of_list ? mqs_ok : code;
}

int mpid_comm_query_attrs(mpid_comm_handle_t *handle, int *comm_num_attrs, mpid_attribute_pair_t **comm_attrs)
{
    return handle_query_list(handle, MPILENS_OBJECT_COMMUNICATOR, collect_attributes, free_attributes, comm_num_attrs,
                             comm_attrs);
}

int mpid_comm_query_requests(mpid_comm_handle_t *handle, int *comm_num_requests, mpid_address_t **comm_requests)
{
    return handle_query_list(handle, MPILENS_OBJECT_COMMUNICATOR, result_collect_requests, NULL, comm_num_requests,
                             comm_requests);
}

int mpid_comm_query_derived(mpid_comm_handle_t *handle, int *comm_num_derived_files,
                            mpid_address_t **comm_derived_files, int *comm_num_derived_windows,
                            mpid_address_t **comm_derived_windows)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct answer_list files;
    struct answer_list windows = {.items = NULL};
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_COMMUNICATOR, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = answer_users(call.info, MPILENS_OBJECT_FILE, sizeof(mpid_address_t), &files);
    if (code == mqs_ok)
        code = answer_users(call.info, MPILENS_OBJECT_WINDOW, sizeof(mpid_address_t), &windows);
    result_give_list(&files, code, comm_num_derived_files, comm_derived_files);
    result_give_list(&windows, code, comm_num_derived_windows, comm_derived_windows);
    return call_end(&call, code);
}

int mpid_comm_query_groups(mpid_comm_handle_t *handle, mpid_group_handle_t **comm_group,
                           mpid_group_handle_t **comm_remote_group)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    mpid_group_handle_t *groups[2] = {NULL, NULL};
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_COMMUNICATOR, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    const struct mpilens_communicator *record = call.info->object;
    int code = handle_make_from_address(&call, MPILENS_OBJECT_GROUP, record->group, &groups[0]);
    if (code == mqs_ok && object.flags & MPILENS_COMMUNICATOR_INTER)
        code = handle_make_from_address(&call, MPILENS_OBJECT_GROUP, record->remote_group, &groups[1]);
    mpid_group_handle_t **const wanted[] = {comm_group, comm_remote_group};
    for (int i = 0; i < 2; i++) {
        if (code == mqs_ok && wanted[i] != NULL)
            *wanted[i] = groups[i];
        else
            release(groups[i]);
    }
    return call_end(&call, code);
}

int mpid_comm_query_errhandler(mpid_comm_handle_t *handle, mpid_errhandler_handle_t **comm_errhandler)
{
    return handle_query_reference(handle, MPILENS_OBJECT_COMMUNICATOR,
                                  offsetof(struct mpilens_communicator, errhandler), MPILENS_OBJECT_ERRHANDLER,
                                  comm_errhandler);
}

int mpid_comm_query_session(mpid_comm_handle_t *handle, mpid_session_handle_t **comm_session)
{
    return handle_query_reference(handle, MPILENS_OBJECT_COMMUNICATOR, offsetof(struct mpilens_communicator, session),
                                  MPILENS_OBJECT_SESSION, comm_session);
}
