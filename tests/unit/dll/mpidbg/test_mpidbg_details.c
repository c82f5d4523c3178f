/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries of mpidbg.h about details of what its documents have, and every query about garbage and without memory.
 */
#include "tested_queries.h"

#include <criterion/criterion.h>

TestSuite(mpidbg_details, .init = create_job_of_ints, .fini = close_queries);

Test(mpidbg_details, details_of_communicators)
{
    struct mpidbg_comm_details_t *details = NULL;
    put_field(opened.job.world_group, MPILENS_FIELD_group_handle, 0x88000005);
    put_field(opened.job.world_group, MPILENS_FIELD_group_references, 1);
    const uint64_t topology = opened.job.split + opened.job.target->fields[MPILENS_FIELD_communicator_topology].offset;
    fake_target_put(opened.job.target, MPILENS_STRUCT_topology, topology,
                    &(struct mpilens_topology){
                        .kind = MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH,
                        .weighted = 1,
                        .value_count = 6,
                        .first_count = 1,
                        .second_count = 2,
                        .values = topology + opened.job.target->fields[MPILENS_FIELD_topology_short_values].offset,
                        .short_values = {3, 0, 2, 50, 60, 70}});
    open_queries();
    cr_assert_eq(mpidbg_comm_query_details(CONTEXT, 0x44000000, &details), MPIDBG_SUCCESS);
    cr_assert_eq(details->comm_object.oi_bitflags, MPIDBG_OBJECT_INFO_PREDEFINED);
    cr_assert(details->comm_unique_id == 100 && details->comm_world_rank == 1);
    cr_assert(details->comm_group.ref_kind == MPILENS_OBJECT_GROUP && details->comm_group.ref_c_handle == 0x88000005);
    cr_assert_eq(details->comm_remote_group.ref_kind, MPILENS_OBJECT_NONE);
    cr_assert(has_user(&details->comm_object, MPILENS_OBJECT_FILE, 0x5555000));
    mpidbg_comm_details_free(details);
    cr_assert_eq(mpidbg_comm_query_details(CONTEXT, 0x84000002, &details), MPIDBG_SUCCESS);
    cr_assert_str_eq(details->comm_object.oi_function, "MPI_Comm_split");
    cr_assert_str_eq(details->comm_parent.ref_name, "MPI_COMM_WORLD");
    cr_assert_eq(details->comm_topology, MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH);
    cr_assert(details->comm_num_sources == 1 && details->comm_sources[0] == 3 && details->comm_source_weights[0] == 50);
    cr_assert(details->comm_num_destinations == 2 && details->comm_destinations[1] == 2);
    cr_assert_eq(details->comm_destination_weights[1], 70);
    cr_assert(has_user(&details->comm_object, MPILENS_OBJECT_WINDOW, 0xa0000001));
    mpidbg_comm_details_free(details);
}

Test(mpidbg_details, details_of_error_handlers)
{
    struct mpidbg_errhandler_details_t *details = NULL;
    open_queries();
    cr_assert_eq(mpidbg_errhandler_query_details(CONTEXT, 0x94000001, &details), MPIDBG_SUCCESS);
    check_object(&details->eh_object, MPILENS_OBJECT_ERRHANDLER, 0x94000001, 0, "MPI_Comm_create_errhandler");
    cr_assert(details->eh_attachable == MPILENS_ATTACHABLE_COMMUNICATOR && details->eh_function == 0x401800);
    cr_assert(has_user(&details->eh_object, MPILENS_OBJECT_WINDOW, 0xa0000001));
    cr_assert(has_user(&details->eh_object, MPILENS_OBJECT_SESSION, 0x80000001));
    mpidbg_errhandler_details_free(details);
}

Test(mpidbg_details, details_of_requests)
{
    struct mpidbg_request_details_t *details = NULL;
    struct mpilens_operation operation = receive_from(3, 7);
    operation.state = MPILENS_OPERATION_MATCHED;
    add_operation(&operation);
    open_queries();
    cr_assert_eq(mpidbg_request_query_details(CONTEXT, (mqs_taddr_t)operation.request, &details), MPIDBG_SUCCESS);
    cr_assert_str_eq(details->req_object.oi_function, "MPI_Irecv");
    cr_assert_eq(details->req_object.oi_bitflags, 0);
    cr_assert_eq(details->req_class, MPILENS_OPERATION_RECEIVE);
    cr_assert(!details->req_persistent && details->req_active && !details->req_complete && details->req_matched == 1);
    cr_assert(details->req_peer == 3 && details->req_peer_world == 3 && details->req_tag == 7);
    cr_assert_str_eq(details->req_comm.ref_name, "MPI_COMM_WORLD");
    cr_assert_str_eq(details->req_datatype, "MPI_INT");
    cr_assert(details->req_count == 10 && details->req_bytes == 40);
    mpidbg_request_details_free(details);
    struct mpidbg_window_info_t *window = NULL;
    cr_assert_eq(mpidbg_window_query(CONTEXT, 0xa0000001, &window), MPIDBG_SUCCESS);
    const mqs_taddr_t rput = window->win_object.oi_users[0].ref_c_handle;
    mpidbg_window_handle_free(window);
    cr_assert_eq(mpidbg_request_query_details(CONTEXT, rput, &details), MPIDBG_SUCCESS);
    cr_assert_eq(details->req_class, MPILENS_OPERATION_ONE_SIDED);
    cr_assert(details->req_target.ref_kind == MPILENS_OBJECT_WINDOW && details->req_target.ref_c_handle == 0xa0000001);
    mpidbg_request_details_free(details);
    cr_assert_eq(mpidbg_request_query_details(CONTEXT, TESTED_REQUEST_NULL, &details), MPIDBG_SUCCESS);
    cr_assert_str_eq(details->req_object.oi_name, "MPI_REQUEST_NULL");
    cr_assert(details->req_object.oi_bitflags & MPIDBG_OBJECT_INFO_NULL);
    mpidbg_request_details_free(details);
}

static void check_c_handle(mqs_taddr_t asked, mqs_taddr_t expected)
{
    struct mpidbg_request_info_t *request = NULL;
    cr_assert_eq(mpidbg_request_query(CONTEXT, asked, &request), MPIDBG_SUCCESS, "0x%lx", (unsigned long)asked);
    cr_assert_eq(request->req_c_handle, expected, "0x%lx", (unsigned long)request->req_c_handle);
    mpidbg_request_handle_free((struct mpidbg_request_handle_t *)(void *)request);
}

/* Hosts extend the sign of an int or do not; a freed request has only the handle that they ask with. */
Test(mpidbg_details, handles_of_requests_have_no_sign)
{
    struct mpilens_operation operation = receive_from(3, 7);
    operation.request = 0x98004321;
    add_operation(&operation);
    operation = receive_from(2, 7);
    operation.request = 0x98004322;
    operation.state = MPILENS_OPERATION_RELEASED;
    add_operation(&operation);
    open_queries();
    for (mqs_taddr_t handle = 0x98004321; handle <= 0x98004322; handle++) {
        check_c_handle(handle, handle);
        check_c_handle((mqs_taddr_t)(int32_t)handle, handle);
    }
    check_c_handle((mqs_taddr_t)(int32_t)TESTED_REQUEST_NULL, TESTED_REQUEST_NULL);
}

Test(mpidbg_details, details_of_statuses)
{
    struct mpidbg_status_details_t *details = NULL;
    const uint64_t status = fake_target_reserve(opened.job.target, 20);
    fake_target_put_integer(opened.job.target, status, 4, 4096);
    fake_target_put_integer(opened.job.target, status + 8, 4, 3);
    fake_target_put_integer(opened.job.target, status + 12, 4, 77);
    opened.job.target->process.status_ignore = 1;
    opened.job.target->process.status_layout[0] = (struct mpilens_status_layout){
        .bytes = 20, .source = 8, .tag = 12, .error = 16, .encoding = MPILENS_STATUS_PACKED, .count = 0};
    open_queries();
    cr_assert_eq(mpidbg_status_query_details(CONTEXT, (mqs_taddr_t)status, &details), MPIDBG_SUCCESS);
    cr_assert(details->status_source == 3 && details->status_tag == 77 && details->status_bytes == 4096);
    cr_assert(!details->status_ignored && details->status_cancelled == 0 && details->status_error == 0);
    mpidbg_status_details_free(details);
    cr_assert_eq(mpidbg_status_query_details(CONTEXT, 1, &details), MPIDBG_SUCCESS);
    cr_assert(details->status_ignored);
    mpidbg_status_details_free(details);
    cr_assert_eq(mpidbg_status_query_details(CONTEXT, 16, &details), MPIDBG_ERR_NOT_FOUND);
}

static int query(int kind, mqs_taddr_t handle, void **ret_answer)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return mpidbg_comm_query_details(CONTEXT, handle, (struct mpidbg_comm_details_t **)ret_answer);
    case MPILENS_OBJECT_ERRHANDLER:
        return mpidbg_errhandler_query_details(CONTEXT, handle, (struct mpidbg_errhandler_details_t **)ret_answer);
    case MPILENS_OBJECT_GROUP:
        return mpidbg_group_query(CONTEXT, handle, (struct mpidbg_group_info_t **)ret_answer);
    case MPILENS_OBJECT_DATATYPE:
        return mpidbg_datatype_query(CONTEXT, handle, (struct mpidbg_datatype_info_t **)ret_answer);
    case MPILENS_OBJECT_OP:
        return mpidbg_op_query(CONTEXT, handle, (struct mpidbg_op_info_t **)ret_answer);
    case MPILENS_OBJECT_INFO:
        return mpidbg_info_query(CONTEXT, handle, (struct mpidbg_info_info_t **)ret_answer);
    case MPILENS_OBJECT_KEYVAL:
        return mpidbg_keyval_query(CONTEXT, handle, (struct mpidbg_keyval_info_t **)ret_answer);
    case MPILENS_OBJECT_SESSION:
        return mpidbg_session_query(CONTEXT, handle, (struct mpidbg_session_info_t **)ret_answer);
    case MPILENS_OBJECT_WINDOW:
        return mpidbg_window_query(CONTEXT, handle, (struct mpidbg_window_info_t **)ret_answer);
    case MPILENS_OBJECT_FILE:
        return mpidbg_file_query(CONTEXT, handle, (struct mpidbg_file_info_t **)ret_answer);
    default:
        return mpidbg_message_query(CONTEXT, handle, (struct mpidbg_message_info_t **)ret_answer);
    }
}

Test(mpidbg_details, garbage_names_nothing)
{
    static const mqs_taddr_t garbage[] = {1, 0x12345678, 0x88000001ul << 8, ~0ul};
    open_queries();
    for (int kind = MPILENS_OBJECT_COMMUNICATOR; kind < MPILENS_OBJECT_ATTRIBUTE; kind++) {
        for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
            void *answer = &opened;
            cr_assert_eq(query(kind, garbage[i], &answer), MPIDBG_ERR_NOT_FOUND, "kind %d, %lx", kind, garbage[i]);
            cr_assert_eq(answer, &opened, "not touched");
        }
        cr_assert_eq(query(kind, 0x44000000, NULL), MPIDBG_ERR_NOT_FOUND);
    }
    cr_assert_eq(mpidbg_window_handle_free(NULL), MPIDBG_SUCCESS);
}

/* Every allocation fails once; nothing is lost, and the answer is whole or none. */
Test(mpidbg_details, without_memory)
{
    static const struct {
        int kind;
        mqs_taddr_t handle;
    } asked[] = {{MPILENS_OBJECT_COMMUNICATOR, 0x84000002}, {MPILENS_OBJECT_WINDOW, 0xa0000001},
                 {MPILENS_OBJECT_FILE, 0x5555000},          {MPILENS_OBJECT_DATATYPE, 0x8c000001},
                 {MPILENS_OBJECT_SESSION, 0x80000001},      {MPILENS_OBJECT_ERRHANDLER, 0x94000001}};
    set_vector();
    open_queries();
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        void *answer = NULL;
        for (uint64_t n = 1; !answer; n++) {
            opened.debugger.fail_allocation = fake_allocations() + n;
            const int result = query(asked[i].kind, asked[i].handle, &answer);
            opened.debugger.fail_allocation = 0;
            cr_assert_eq(result, answer ? MPIDBG_SUCCESS : MPIDBG_ERR_NO_MEM, "kind %d, allocation %lu: %d",
                         asked[i].kind, (unsigned long)n, result);
        }
        cr_assert_eq(mpidbg_window_handle_free(answer), MPIDBG_SUCCESS, "any kind's");
    }
}
