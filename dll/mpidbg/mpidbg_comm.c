/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_comm_query.
 */
#include "answers/answers.h"
#include "facts/facts.h"
#include "mpidbg/mpidbg_internal.h"
#include "mpilens/layout.h"
#include "replies/replies.h"
#include "target/target.h"

#include <string.h>

static int set_cartesian(struct mpidbg_comm_info_t *info, const int32_t *values, int32_t count)
{
    int8_t *periods = allocate_array((size_t)count, sizeof *periods);
    if (periods == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (int32_t i = 0; i < count; i++)
        periods[i] = values[count + i] != 0;
    info->comm_cart_periods = periods;
    info->comm_cart_num_dims = count;
    return answer_copy(values, (size_t)count, sizeof *values, (void **)&info->comm_cart_dims);
}

/* A debugger takes the last index for the length of the edges. */
static int set_graph(struct mpidbg_comm_info_t *info, const int32_t *values, int32_t count, int32_t edge_count)
{
    if (values[count - 1] != edge_count)
        return mqs_ok;
    int code = answer_copy(values, (size_t)count, sizeof *values, (void **)&info->comm_graph_index);
    if (code == mqs_ok)
        code = answer_copy(values + count, (size_t)edge_count, sizeof *values, (void **)&info->comm_graph_edges);
    if (code == mqs_ok)
        info->comm_graph_num_nodes = count;
    return code;
}

static int set_topology_values(const struct inquiry *inquiry, const struct mpilens_topology_information *topology,
                               struct mpidbg_comm_info_t *info)
{
    const int32_t first = topology->first_count;
    const int32_t second = topology->second_count;
    const int64_t needed = topology->kind == MPILENS_TOPOLOGY_CARTESIAN ? (int64_t)2 * first : (int64_t)first + second;
    if (first <= 0 || second < 0 || needed > topology->value_count ||
        topology->kind == MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH)
        return mqs_ok;
    int32_t *values = allocate_array(topology->value_count, sizeof *values);
    if (values == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    size_t count = 0;
    int code = reply_get_topology_values(inquiry->info, values, topology->value_count, &count);
    if (code == mqs_ok && count >= (size_t)needed)
        code = topology->kind == MPILENS_TOPOLOGY_CARTESIAN ? set_cartesian(info, values, first)
                                                            : set_graph(info, values, first, second);
    release(values);
    return code;
}

static int set_topology(const struct inquiry *inquiry, struct mpidbg_comm_info_t *info, int *flags)
{
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    if (reply_get_topology(inquiry->info, &topology) != mqs_ok || topology.kind == MPILENS_TOPOLOGY_NONE)
        return mqs_ok;
    int code = set_topology_values(inquiry, &topology, info);
    if (code == MPILENS_ERROR_NO_MEMORY)
        return code;
    *flags |= topology.reordered ? MPIDBG_COMM_INFO_TOPO_REORDERED : 0;
    *flags |= topology.kind == MPILENS_TOPOLOGY_CARTESIAN ? MPIDBG_COMM_INFO_CARTESIAN
              : topology.kind == MPILENS_TOPOLOGY_GRAPH   ? MPIDBG_COMM_INFO_GRAPH
                                                          : MPIDBG_COMM_INFO_DIST_GRAPH;
    return mqs_ok;
}

static int set_users(const struct inquiry *inquiry, struct mpidbg_comm_info_t *info)
{
    const struct {
        int kind;
        mqs_taddr_t **array;
        int *count;
    } lists[] = {
        {MPILENS_OBJECT_REQUEST, &info->comm_pending_requests, &info->comm_num_pending_requests},
        {MPILENS_OBJECT_WINDOW, &info->comm_derived_windows, &info->comm_num_derived_windows},
        {MPILENS_OBJECT_FILE, &info->comm_derived_files, &info->comm_num_derived_files},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct answer_list handles;
        int code = answer_users(inquiry->info, lists[i].kind, sizeof(mqs_taddr_t), &handles);
        if (code != mqs_ok)
            return code;
        *lists[i].array = handles.items;
        *lists[i].count = (int)handles.count;
    }
    return mqs_ok;
}

/* The values that are known. */
static int set_members(const struct inquiry *inquiry, const struct mpilens_communicator_information *communicator,
                       struct mpidbg_comm_info_t *info)
{
    struct answer_list members;
    if (answer_members(inquiry->info, 0, &members) == MPILENS_ERROR_NO_MEMORY)
        return MPILENS_ERROR_NO_MEMORY;
    info->comm_local_procs = members.items;
    info->comm_num_local_procs = (int)members.count;
    if (!communicator->intercommunicator)
        return mqs_ok;
    if (answer_members(inquiry->info, 1, &members) == MPILENS_ERROR_NO_MEMORY)
        return MPILENS_ERROR_NO_MEMORY;
    info->comm_remote_procs = members.items;
    info->comm_num_remote_procs = (int)members.count;
    return mqs_ok;
}

/* The answer about the current object; attributes last, they move it. */
static int describe(const struct inquiry *inquiry, const struct mpilens_object_information *object,
                    struct mpidbg_comm_info_t *info, int *flags)
{
    struct mpilens_communicator_information communicator = {.struct_size = sizeof communicator};
    int code = reply_get_communicator_object(inquiry->info, &communicator);
    if (code != mqs_ok)
        return code;
    info->comm_rank = communicator.rank;
    info->comm_size = communicator.size;
    *flags |= communicator.intercommunicator ? MPIDBG_COMM_INFO_INTERCOMM : 0;
    *flags |= inquiry_is_freed(object) ? MPIDBG_COMM_INFO_FREED_HANDLE : 0;
    *flags |= inquiry_is_gone(inquiry, object) ? MPIDBG_COMM_INFO_FREED_OBJECT : 0;
    code = set_members(inquiry, &communicator, info);
    if (code == mqs_ok)
        code = set_topology(inquiry, info, flags);
    if (code == mqs_ok)
        code = set_users(inquiry, info);
    return code == mqs_ok ? attribute_pairs_list(inquiry, &info->comm_num_attrs, &info->comm_attrs) : code;
}

static int make_comm(const struct inquiry *inquiry, mqs_taddr_t comm, void **ret_info)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    int code = reply_find_object(inquiry->info, MPILENS_OBJECT_COMMUNICATOR, MPILENS_HANDLE_C, comm, &object);
    if (code != mqs_ok)
        return code;
    struct comm_answer *made = inquiry_allocate(1, sizeof *made);
    if (made == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    struct mpidbg_comm_info_t *info = &made->info;
    int flags = object.predefined ? MPIDBG_COMM_INFO_PREDEFINED : 0;
    text_set(info->comm_name, sizeof info->comm_name, object.name);
    info->comm_c_handle = (mqs_taddr_t)object.handle;
    info->comm_rank = -1;
    struct mpilens_handle_information handle;
    inquiry_get_handle(inquiry, &object, &handle);
    info->comm_fortran_handle = handle.has_fortran_handle ? (int)handle.fortran_handle : (int)MPIDBG_ERR_UNAVAILABLE;
    if (object.flags & MPILENS_OBJECT_NULL)
        flags |= MPIDBG_COMM_INFO_COMM_NULL;
    else
        code = describe(inquiry, &object, info, &flags);
    if (code != mqs_ok) {
        comm_answer_free(made);
        return code;
    }
    info->comm_bitflags = (enum mpidbg_comm_info_bitmap_t)flags;
    made->tail =
        (struct answer_tail){ANSWER_MARK, ANSWER_COMM, (flags & ~MPIDBG_COMM_INFO_DIST_GRAPH) | SECOND_COMM_HANDLE_C};
    *ret_info = &made->info;
    return mqs_ok;
}

MPIDBG_OTHER_QUERY(mpidbg_comm_query, comm, struct mpidbg_comm_info_t, make_comm)
