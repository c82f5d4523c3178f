/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators in the draft's interface.
 */
#include "tested_draft.h"

#include <criterion/criterion.h>

TestSuite(mpid_communicators, .init = draft_open, .fini = draft_close);

Test(mpid_communicators, communicator)
{
    char *name;
    enum mpid_comm_info_bitmap_t flags;
    int rank;
    int size;
    int fortran;
    mpid_address_t cxx = 1;
    mpid_keyvalue_pair_t *extra;
    mpid_comm_handle_t *comm = draft_comm(0x44000000);
    cr_assert_eq(mpid_comm_query_basic(comm, &name, &flags, &rank, &size, &fortran, &cxx, &extra), mpid_rc_ok);
    draft_check_text(name, "MPI_COMM_WORLD");
    cr_assert_eq(flags, MPID_COMM_INFO_PREDEFINED | MPID_COMM_INFO_HANDLE_C);
    cr_assert_eq(rank, 1);
    cr_assert_eq(size, 4);
    cr_assert_eq(cxx, 0);
    cr_assert_str_eq(extra[0].key_name, "unique_id");
    for (int i = 0; extra[i].key_name; i++) {
        mpid_debugger_free(extra[i].key_name);
        mpid_debugger_free(extra[i].value);
    }
    mpid_debugger_free(extra);
    mpid_comm_handle_free(comm);
    cr_assert_eq(mpid_comm_query_by_name(draft_process, "bridge", &comm), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, &flags, &rank, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(flags, MPID_COMM_INFO_INTERCOMM | MPID_COMM_INFO_HANDLE_C);
    mpid_comm_handle_free(comm);
}

Test(mpid_communicators, freed_communicator)
{
    enum mpid_comm_info_bitmap_t flags;
    put_field(opened.job.split, MPILENS_FIELD_communicator_state, MPILENS_OBJECT_FREED);
    put_field(opened.job.split, MPILENS_FIELD_communicator_users, 2);
    draft_move_on();
    mpid_comm_handle_t *comm = draft_comm(0x84000002);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, &flags, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert(flags & MPID_COMM_INFO_FREED_HANDLE);
    cr_assert_not(flags & MPID_COMM_INFO_FREED_OBJECT, "something refers to it");
    mpid_comm_handle_free(comm);
    put_field(opened.job.split, MPILENS_FIELD_communicator_users, 0);
    draft_move_on();
    comm = draft_comm(0x84000002);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, &flags, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_not(flags & MPID_COMM_INFO_FREED_OBJECT, "a window is made of it, and a receive is pending");
    mpid_comm_handle_free(comm);
}

Test(mpid_communicators, communicator_in_fortran)
{
    int fortran;
    enum mpid_comm_info_bitmap_t flags;
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_comm_query(draft_process, in_fortran(FAKE_FORTRAN_BASE + 3), MPID_TYPE_LANG_FORTRAN, &comm),
                 mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, &flags, NULL, NULL, &fortran, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(fortran, FAKE_FORTRAN_BASE + 3);
    cr_assert(flags & MPID_COMM_INFO_HANDLE_FINT);
    cr_assert(flags & MPID_COMM_INFO_CARTESIAN);
    cr_assert(flags & MPID_COMM_INFO_TOPO_REORDERED);
    mpid_comm_handle_free(comm);
}

Test(mpid_communicators, members)
{
    int counts[2];
    mpid_process_t *processes[2];
    mpid_comm_handle_t *comm = NULL;
    mpid_group_handle_t *groups[2];
    cr_assert_eq(mpid_comm_query_by_name(draft_process, "bridge", &comm), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_procs(comm, &counts[0], &processes[0], &counts[1], &processes[1]), mpid_rc_ok);
    cr_assert_eq(counts[0], 2);
    cr_assert_eq(counts[1], 2);
    cr_assert_eq(processes[0][1].mpi_comm_world_rank, 1);
    cr_assert_eq(processes[1][0].mpi_comm_world_rank, 2);
    cr_assert_eq(processes[1][1].mpi_comm_world_rank, 3);
    mpid_debugger_free(processes[0]);
    mpid_debugger_free(processes[1]);
    cr_assert_eq(mpid_comm_query_groups(comm, &groups[0], &groups[1]), mpid_rc_ok);
    cr_assert_not_null(groups[1]);
    cr_assert_eq(mpid_group_query_procs(groups[1], &counts[0], &processes[0]), mpid_rc_ok);
    cr_assert_eq(counts[0], 2);
    cr_assert_eq(processes[0][0].mpi_comm_world_rank, 2);
    mpid_debugger_free(processes[0]);
    mpid_group_handle_free(groups[0]);
    mpid_group_handle_free(groups[1]);
    mpid_comm_handle_free(comm);
}

Test(mpid_communicators, topologies)
{
    int counts[3];
    int *values[3];
    mpid_comm_handle_t *comm = draft_comm(0x84000002);
    cr_assert_eq(mpid_comm_query_topo(comm, &counts[0], &values[0], &counts[1], &values[1], &counts[2], &values[2]),
                 mpid_rc_ok);
    draft_check_numbers(counts[0], values[0], 2, (const int[]){2, 1});
    draft_check_numbers(counts[1], values[1], 2, (const int[]){1, 0});
    draft_check_numbers(counts[2], values[2], 2, (const int[]){1, 0});
    mpid_comm_handle_free(comm);
    comm = draft_comm(0x44000001);
    cr_assert_eq(mpid_comm_query_topo(comm, &counts[0], &values[0], &counts[1], &values[1], &counts[2], &values[2]),
                 mpid_rc_ok);
    draft_check_numbers(counts[0], values[0], 2, (const int[]){1, 3});
    draft_check_numbers(counts[1], values[1], 2, (const int[]){0, 2});
    draft_check_numbers(counts[2], values[2], 4, (const int[]){10, 20, 30, 40});
    mpid_comm_handle_free(comm);
    comm = draft_comm(0x44000000);
    cr_assert_eq(mpid_comm_query_topo(comm, &counts[0], &values[0], NULL, NULL, NULL, NULL), mpid_rc_ok);
    draft_check_numbers(counts[0], values[0], 0, NULL);
    cr_assert_null(values[0]);
    mpid_comm_handle_free(comm);
}

Test(mpid_communicators, null_handles_and_garbage)
{
    char *name;
    enum mpid_comm_info_bitmap_t flags;
    mpid_comm_handle_t *comm = NULL;
    mpid_type_handle_t *type = NULL;
    mpid_request_handle_t *request = NULL;
    int request_flags;
    const langHandle null = in_c(FAKE_COMM_NULL);
    cr_assert_eq(mpid_comm_query(draft_process, null, MPID_TYPE_LANG_C, &comm), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_basic(comm, &name, &flags, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    draft_check_text(name, "MPI_COMM_NULL");
    cr_assert(flags & MPID_COMM_INFO_COMM_NULL);
    cr_assert_eq(mpid_comm_query_procs(comm, NULL, NULL, NULL, NULL), mpid_rc_unavailable);
    mpid_comm_handle_free(comm);
    cr_assert_eq(mpid_type_query_by_name(draft_process, "MPI_DATATYPE_NULL", &type), mpid_rc_ok);
    mpid_type_handle_free(type);
    cr_assert_eq(mpid_request_query(draft_process, in_c(FAKE_REQUEST_NULL), MPID_TYPE_LANG_C, &request), mpid_rc_ok);
    cr_assert_eq(mpid_request_query_basic(request, NULL, &request_flags, NULL), mpid_rc_ok);
    cr_assert(request_flags & MPID_INFO_NULL);
    mpid_request_handle_free(request);
    comm = NULL;
    cr_assert_eq(mpid_comm_query(draft_process, in_c(0x12345678), MPID_TYPE_LANG_C, &comm), mpid_rc_unavailable);
    cr_assert_eq(mpid_comm_query(draft_process, in_fortran(7), MPID_TYPE_LANG_FORTRAN, &comm), mpid_rc_unavailable);
    cr_assert_eq(mpid_comm_query_by_name(draft_process, "no such name", &comm), mpid_rc_unavailable);
    cr_assert_eq(mpid_comm_query(draft_process, null, 0, &comm), mpid_rc_bad_input);
    cr_assert_null(comm, "untouched");
}
