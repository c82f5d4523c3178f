/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries of mpidbg.h about the kinds that its documents left open, and the details of the others.
 */
#include "mpilens/mpidbg.h"

#include "tested_job.h"

#include <criterion/criterion.h>

#define CONTEXT fake_image(&opened.debugger), opened.debugger.image_info, opened.process, opened.debugger.process_info

static void open_queries(void)
{
    fake_target_publish(opened.job.target);
    cr_assert_eq(mpidbg_init_once(&opened.debugger.basic), MPIDBG_SUCCESS);
    cr_assert_eq(mpidbg_init_per_image(fake_image(&opened.debugger), &opened.debugger.image, NULL), MPIDBG_SUCCESS);
    cr_assert_eq(mpidbg_init_per_process(opened.process, &opened.debugger.process, NULL), MPIDBG_SUCCESS);
}

static void close_queries(void)
{
    mpidbg_finalize_per_process(opened.process, opened.debugger.process_info);
    mpidbg_finalize_per_image(fake_image(&opened.debugger), opened.debugger.image_info);
    fail_after_test_unless(fake_allocations_held() == 0, "memory of the DLL is not freed");
    fake_target_destroy(opened.job.target);
}

TestSuite(mpidbg, .init = create_job_of_ints, .fini = close_queries);

static void check_object(const struct mpidbg_object_info_t *object, int kind, mqs_taddr_t handle, int flags,
                         const char *function)
{
    cr_assert_eq(object->oi_kind, kind);
    cr_assert_eq(object->oi_c_handle, handle);
    cr_assert_eq(object->oi_bitflags, flags);
    cr_assert_str_eq(object->oi_function, function);
    cr_assert_eq(object->oi_site, flags & MPIDBG_OBJECT_INFO_PREDEFINED ? 0 : 0x410000 + handle % 0x1000);
    cr_assert_eq(object->oi_has_fortran_handle, kind != MPILENS_OBJECT_FILE);
    if (object->oi_has_fortran_handle)
        cr_assert_eq(object->oi_fortran_handle, (int)(uint32_t)handle);
    cr_assert_str_eq(object->oi_freed_by, "");
}

static bool has_user(const struct mpidbg_object_info_t *object, int kind, mqs_taddr_t handle)
{
    for (int i = 0; i < object->oi_num_users; i++)
        if (object->oi_users[i].ref_kind == kind && object->oi_users[i].ref_c_handle == handle)
            return true;
    return false;
}

Test(mpidbg, window)
{
    struct mpidbg_window_info_t *info = NULL;
    open_queries();
    cr_assert_eq(mpidbg_window_query(CONTEXT, 0xa0000001, &info), MPIDBG_SUCCESS);
    check_object(&info->win_object, MPILENS_OBJECT_WINDOW, 0xa0000001, 0, "MPI_Win_create");
    cr_assert_str_eq(info->win_object.oi_name, "halo");
    cr_assert_eq(info->win_object.oi_num_users, 1, "the MPI_Rput");
    cr_assert_eq(info->win_object.oi_users[0].ref_kind, MPILENS_OBJECT_REQUEST);
    cr_assert_str_eq(info->win_object.oi_users[0].ref_name, "MPI_Rput");
    cr_assert_eq(info->win_comm.ref_c_handle, 0x84000002);
    cr_assert_eq(info->win_errhandler.ref_c_handle, 0x94000001);
    cr_assert(info->win_base == 0x8000 && info->win_size == 4096 && info->win_displacement_unit == 8);
    cr_assert_eq(info->win_flavor, MPILENS_WINDOW_CREATE);
    cr_assert(info->win_access_epoch == MPILENS_EPOCH_LOCK && info->win_exposure_epoch == MPILENS_EPOCH_NONE);
    cr_assert_eq(info->win_num_locks, 2);
    const struct mpidbg_window_lock_t *lock =
        info->win_locks[0].lock_target == 0 ? &info->win_locks[0] : &info->win_locks[1];
    cr_assert(lock->lock_target_world == 3 && lock->lock_type == MPILENS_LOCK_EXCLUSIVE && lock->lock_site == 0x402100);
    cr_assert(info->win_num_access_procs == 1 && info->win_access_procs[0].mpi_comm_world_rank == 3);
    cr_assert(info->win_num_exposure_procs == 0 && !info->win_exposure_procs);
    cr_assert_str_eq(info->win_synchronization, "MPI_Win_lock");
    cr_assert(info->win_operations == 20 && info->win_operations_since == 3);
    cr_assert_eq(mpidbg_window_handle_free(info), MPIDBG_SUCCESS);
}

Test(mpidbg, file)
{
    struct mpidbg_file_info_t *info = NULL;
    open_queries();
    cr_assert_eq(mpidbg_file_query(CONTEXT, 0x5555000, &info), MPIDBG_SUCCESS);
    check_object(&info->file_object, MPILENS_OBJECT_FILE, 0x5555000, 0, "MPI_File_open");
    cr_assert_str_eq(info->file_object.oi_name, "out/restart.dat");
    cr_assert_str_eq(info->file_comm.ref_name, "MPI_COMM_WORLD");
    cr_assert_eq(info->file_mode, MPILENS_FILE_CREATE | MPILENS_FILE_READ_WRITE);
    cr_assert(info->file_atomicity && info->file_view_displacement == 64 && info->file_operations == 12);
    cr_assert_str_eq(info->file_view_etype, "MPI_INT");
    cr_assert_str_eq(info->file_view_representation, "native");
    cr_assert_str_eq(info->file_split_collective, "MPI_File_read_all_begin");
    cr_assert_eq(info->file_split_collective_site, 0x402300);
    cr_assert_eq(info->file_errhandler.ref_kind, MPILENS_OBJECT_NONE);
    cr_assert_str_eq(info->file_errhandler.ref_name, "");
    cr_assert_eq(mpidbg_file_handle_free(info), MPIDBG_SUCCESS);
    cr_assert_eq(mpidbg_file_query(CONTEXT, 0, &info), MPIDBG_SUCCESS);
    cr_assert_eq(info->file_object.oi_bitflags, MPIDBG_OBJECT_INFO_PREDEFINED | MPIDBG_OBJECT_INFO_NULL);
    cr_assert_str_eq(info->file_object.oi_name, "MPI_FILE_NULL");
    cr_assert_str_eq(info->file_view_etype, "");
    cr_assert_eq(mpidbg_file_handle_free(info), MPIDBG_SUCCESS);
}

Test(mpidbg, op)
{
    struct mpidbg_op_info_t *info = NULL;
    open_queries();
    cr_assert_eq(mpidbg_op_query(CONTEXT, 0x98000001, &info), MPIDBG_SUCCESS);
    check_object(&info->op_object, MPILENS_OBJECT_OP, 0x98000001, 0, "MPI_Op_create");
    cr_assert(info->op_function == 0x401700 && !info->op_commutative);
    mpidbg_op_handle_free(info);
    cr_assert_eq(mpidbg_op_query(CONTEXT, 0x58000003, &info), MPIDBG_SUCCESS);
    check_object(&info->op_object, MPILENS_OBJECT_OP, 0x58000003, MPIDBG_OBJECT_INFO_PREDEFINED, "");
    cr_assert_str_eq(info->op_object.oi_name, "MPI_SUM");
    cr_assert(info->op_commutative && info->op_function == 0);
    mpidbg_op_handle_free(info);
}

Test(mpidbg, keyval_that_is_in_use_and_one_that_was_freed)
{
    struct mpidbg_keyval_info_t *info = NULL;
    put_field(objects.freed_keyval, MPILENS_FIELD_keyval_freed_site, 0x40abcd);
    put_field(objects.freed_keyval, MPILENS_FIELD_keyval_freed_function, objects.function.keyval_create);
    open_queries();
    cr_assert_eq(mpidbg_keyval_query(CONTEXT, 0xa4400001, &info), MPIDBG_SUCCESS);
    check_object(&info->keyval_object, MPILENS_OBJECT_KEYVAL, 0xa4400001, 0, "MPI_Comm_create_keyval");
    cr_assert_eq(info->keyval_attachable, MPILENS_ATTACHABLE_COMMUNICATOR);
    cr_assert(info->keyval_copy_function == 0x401900 && info->keyval_delete_function == 0x401a00);
    cr_assert_eq(info->keyval_extra_state, 0x42);
    cr_assert(has_user(&info->keyval_object, MPILENS_OBJECT_COMMUNICATOR, 0x84000002));
    mpidbg_keyval_handle_free(info);
    cr_assert_eq(mpidbg_keyval_query(CONTEXT, 0xa4400000, &info), MPIDBG_SUCCESS);
    cr_assert_eq(info->keyval_object.oi_bitflags, MPIDBG_OBJECT_INFO_FREED_HANDLE | MPIDBG_OBJECT_INFO_FREED_OBJECT);
    cr_assert_eq(info->keyval_object.oi_freed_site, 0x40abcd);
    cr_assert_str_eq(info->keyval_object.oi_freed_by, "MPI_Comm_create_keyval");
    mpidbg_keyval_handle_free(info);
}

Test(mpidbg, group)
{
    struct mpidbg_group_info_t *info = NULL;
    put_field(opened.job.world_group, MPILENS_FIELD_group_handle, 0x88000005);
    put_field(opened.job.world_group, MPILENS_FIELD_group_references, 1);
    open_queries();
    cr_assert_eq(mpidbg_group_query(CONTEXT, 0x88000005, &info), MPIDBG_SUCCESS);
    cr_assert(info->group_rank == 1 && info->group_size == 4 && info->group_num_procs == 4);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(info->group_procs[i].mpi_comm_world_rank, i);
    cr_assert(has_user(&info->group_object, MPILENS_OBJECT_COMMUNICATOR, 0x44000000));
    mpidbg_group_handle_free(info);
    cr_assert_eq(mpidbg_group_query(CONTEXT, 0x88000001, &info), MPIDBG_SUCCESS);
    cr_assert(info->group_rank == -1 && info->group_size == 0 && !info->group_procs);
    mpidbg_group_handle_free(info);
}

static uint64_t put_texts(const char *texts, uint32_t bytes)
{
    const uint64_t address = fake_target_reserve(opened.job.target, bytes);
    memcpy(fake_target_bytes(opened.job.target, address, bytes), texts, bytes);
    return address;
}

static void set_texts(uint64_t record, enum mpilens_field field, const char *texts, uint32_t bytes, uint32_t count)
{
    const struct mpilens_texts given = {.address = put_texts(texts, bytes), .bytes = bytes, .count = count};
    fake_target_put(opened.job.target, MPILENS_STRUCT_texts, record + opened.job.target->fields[field].offset, &given);
}

Test(mpidbg, info)
{
    static const char texts[] = "striping\0008\0cb_nodes\0two";
    struct mpidbg_info_info_t *info = NULL;
    set_texts(objects.info, MPILENS_FIELD_info_entries, texts, sizeof(texts), 4);
    open_queries();
    cr_assert_eq(mpidbg_info_query(CONTEXT, 0x9c000001, &info), MPIDBG_SUCCESS);
    check_object(&info->info_object, MPILENS_OBJECT_INFO, 0x9c000001, 0, "MPI_Info_create");
    cr_assert_eq(info->info_num_pairs, 2);
    cr_assert_str_eq(info->info_pairs[0].key, "striping");
    cr_assert_str_eq(info->info_pairs[0].value, "8");
    cr_assert_str_eq(info->info_pairs[1].key, "cb_nodes");
    cr_assert_str_eq(info->info_pairs[1].value, "two");
    mpidbg_info_handle_free(info);
}

Test(mpidbg, session)
{
    static const char texts[] = "mpi://WORLD\0mpi://SELF";
    struct mpidbg_session_info_t *info = NULL;
    set_texts(objects.session, MPILENS_FIELD_session_process_sets, texts, sizeof(texts), 2);
    open_queries();
    cr_assert_eq(mpidbg_session_query(CONTEXT, 0x80000001, &info), MPIDBG_SUCCESS);
    check_object(&info->session_object, MPILENS_OBJECT_SESSION, 0x80000001, 0, "MPI_Session_init");
    cr_assert(info->session_thread_level == 3 && info->session_buffer == 0x9000 && info->session_buffer_size == 512);
    cr_assert_eq(info->session_errhandler.ref_c_handle, 0x94000001);
    cr_assert_eq(info->session_num_process_sets, 2);
    cr_assert_str_eq(info->session_process_sets[0], "mpi://WORLD");
    cr_assert_str_eq(info->session_process_sets[1], "mpi://SELF");
    mpidbg_session_handle_free(info);
}

Test(mpidbg, message)
{
    struct mpidbg_message_info_t *info = NULL;
    fake_job_populate(&opened.job);
    open_queries();
    cr_assert_eq(mpidbg_message_query(CONTEXT, 0xac000001, &info), MPIDBG_SUCCESS);
    cr_assert_str_eq(info->message_object.oi_function, "MPI_Improbe");
    cr_assert(info->message_source == 1 && info->message_source_world == 3 && info->message_tag == 42);
    cr_assert_eq(info->message_bytes, 4096);
    cr_assert_str_eq(info->message_comm.ref_name, "bridge");
    mpidbg_message_handle_free(info);
}

/* A vector: 3 blocks of 2 MPI_INT, 4 apart. */
static void set_vector(void)
{
    const uint64_t type = opened.job.vector_type;
    put_field(type, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_VECTOR);
    put_field(type, MPILENS_FIELD_datatype_integer_count, 3);
    put_field(type, MPILENS_FIELD_datatype_datatype_count, 1);
    put_field(type, MPILENS_FIELD_datatype_extent, 40);
    put_field(type, MPILENS_FIELD_datatype_true_extent, 40);
    const uint64_t arguments = fake_target_reserve(opened.job.target, 32);
    static const uint64_t values[] = {3, 2, 4};
    for (unsigned i = 0; i < 3; i++)
        fake_target_put_integer(opened.job.target, arguments + 8 * i, 8, values[i]);
    fake_target_put_integer(opened.job.target, arguments + 24, 8, opened.job.int_type);
    put_field(type, MPILENS_FIELD_datatype_arguments, arguments);
    put_field(opened.job.int_type, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_NAMED);
    put_field(opened.job.int_type, MPILENS_FIELD_datatype_extent, 4);
}

Test(mpidbg, datatype)
{
    struct mpidbg_datatype_info_t *info = NULL;
    set_vector();
    open_queries();
    cr_assert_eq(mpidbg_datatype_query(CONTEXT, 0x8c000001, &info), MPIDBG_SUCCESS);
    cr_assert_str_eq(info->dt_object.oi_function, "MPI_Type_vector");
    cr_assert(has_user(&info->dt_object, MPILENS_OBJECT_FILE, 0x5555000));
    cr_assert(info->dt_size == 24 && !info->dt_committed && info->dt_extent == 40);
    cr_assert_eq(info->dt_combiner, MPILENS_COMBINER_VECTOR);
    cr_assert_str_eq(info->dt_combiner_name, "vector");
    cr_assert(info->dt_num_integers == 3 && info->dt_num_addresses == 0 && !info->dt_arguments_cut);
    cr_assert(info->dt_integers[0] == 3 && info->dt_integers[1] == 2 && info->dt_integers[2] == 4);
    cr_assert_eq(info->dt_num_datatypes, 1);
    cr_assert_str_eq(info->dt_datatypes[0].ref_name, "MPI_INT");
    cr_assert(info->dt_map_length >= 1 && !info->dt_map_cut);
    int64_t elements = 0;
    for (int i = 0; i < info->dt_map_length; i++) {
        cr_assert_str_eq(info->dt_map[i].basic, "MPI_INT");
        elements += info->dt_map[i].count * info->dt_map[i].repeat;
    }
    cr_assert_eq(elements, 6);
    mpidbg_datatype_handle_free(info);
}

Test(mpidbg, details_of_communicators)
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

Test(mpidbg, details_of_error_handlers)
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

Test(mpidbg, details_of_requests)
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

Test(mpidbg, details_of_statuses)
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

Test(mpidbg, garbage_names_nothing)
{
    static const mqs_taddr_t garbage[] = {1, 0x12345678, 0x88000001ul << 8, ~0ul};
    open_queries();
    for (int kind = MPILENS_OBJECT_COMMUNICATOR; kind < MPILENS_OBJECT_ATTRIBUTE; kind++) {
        for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
            void *answer = &opened;
            cr_assert_eq(query(kind, garbage[i], &answer), MPIDBG_ERR_NOT_FOUND, "kind %d, %lx", kind, garbage[i]);
            cr_assert_eq(answer, &opened, "not touched");
        }
        cr_assert_eq(query(kind, 0x44000000, NULL), MPIDBG_ERR_NOT_FOUND);
    }
    cr_assert_eq(mpidbg_window_handle_free(NULL), MPIDBG_SUCCESS);
}

/* Every allocation fails once; nothing is lost, and the answer is whole or none. */
Test(mpidbg, without_memory)
{
    static const struct {
        int kind;
        mqs_taddr_t handle;
    } asked[] = {{MPILENS_OBJECT_COMMUNICATOR, 0x84000002}, {MPILENS_OBJECT_WINDOW, 0xa0000001},
                 {MPILENS_OBJECT_FILE, 0x5555000},          {MPILENS_OBJECT_DATATYPE, 0x8c000001},
                 {MPILENS_OBJECT_SESSION, 0x80000001},      {MPILENS_OBJECT_ERRHANDLER, 0x94000001}};
    set_vector();
    open_queries();
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
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
