/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries of mpidbg.h about the kinds that its documents left open.
 */
#include "tested_queries.h"

#include <criterion/criterion.h>

TestSuite(mpidbg_objects, .init = create_job_of_ints, .fini = close_queries);

Test(mpidbg_objects, window)
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

Test(mpidbg_objects, file)
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
    cr_assert(info->file_object.oi_has_fortran_handle && info->file_object.oi_fortran_handle == 0);
    cr_assert_str_eq(info->file_view_etype, "");
    cr_assert_eq(mpidbg_file_handle_free(info), MPIDBG_SUCCESS);
}

Test(mpidbg_objects, op)
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

Test(mpidbg_objects, keyval_that_is_in_use_and_one_that_was_freed)
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

Test(mpidbg_objects, group)
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

Test(mpidbg_objects, info)
{
    static const char texts[] = "striping\0008\0cb_nodes\0two";
    struct mpidbg_info_info_t *info = NULL;
    set_texts(objects.info, MPILENS_FIELD_info_entries, texts, sizeof texts, 4);
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

Test(mpidbg_objects, session)
{
    static const char texts[] = "mpi://WORLD\0mpi://SELF";
    struct mpidbg_session_info_t *info = NULL;
    set_texts(objects.session, MPILENS_FIELD_session_process_sets, texts, sizeof texts, 2);
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

Test(mpidbg_objects, message)
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

Test(mpidbg_objects, datatype)
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
