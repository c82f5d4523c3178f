/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows, files and other objects in the draft's interface.
 */
#include "tested_draft.h"

#include <criterion/criterion.h>

TestSuite(mpid_objects, .init = draft_open, .fini = draft_close);

Test(mpid_objects, window)
{
    char *texts[3];
    mpid_address_t base;
    mpid_size_t size;
    int unit;
    int count;
    int *ranks;
    mpid_keyvalue_pair_t *pairs;
    mpid_win_handle_t *win = NULL;
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_win_query(draft_process, in_c(0xa0000001), MPID_TYPE_LANG_C, &win), mpid_rc_ok);
    cr_assert_eq(mpid_win_query_basic(win, &texts[0], NULL, &base, &size, &unit, NULL), mpid_rc_ok);
    draft_check_text(texts[0], "halo");
    cr_assert_eq(base, 0x8000);
    cr_assert_eq(size, 4096);
    cr_assert_eq(unit, 8);
    cr_assert_eq(mpid_win_query_epochs(win, &texts[0], &texts[1], &texts[2], &count, &ranks), mpid_rc_ok);
    draft_check_text(texts[0], "lock");
    draft_check_text(texts[1], "none");
    draft_check_text(texts[2], "MPI_Win_lock");
    draft_check_numbers(count, ranks, 2, (const int[]){0, 1});
    cr_assert_eq(mpid_win_query_info(win, &count, &pairs), mpid_rc_ok);
    cr_assert_eq(count, 2);
    for (int i = 0; i < 2; i++) {
        draft_check_text(pairs[i].key_name, i == 0 ? "cb_nodes" : "striping_factor");
        draft_check_text(pairs[i].value, i == 0 ? "4" : "8");
    }
    mpid_debugger_free(pairs);
    cr_assert_eq(mpid_win_query_comm(win, &comm), mpid_rc_ok);
    mpid_comm_handle_free(comm);
    mpid_win_handle_free(win);
}

Test(mpid_objects, file_op_errhandler_info_request_status)
{
    char *name;
    int numbers[4];
    int64_t bytes;
    mpid_address_t function;
    mpid_file_handle_t *file = NULL;
    mpid_op_handle_t *op = NULL;
    mpid_errhandler_handle_t *errhandler = NULL;
    mpid_info_handle_t *info = NULL;
    mpid_request_handle_t *request = NULL;
    mpid_any_handle_t *object = NULL;
    mpid_status_handle_t *status = NULL;
    cr_assert_eq(mpid_file_query(draft_process, in_c(0x5555000), MPID_TYPE_LANG_C, &file), mpid_rc_ok);
    cr_assert_eq(mpid_file_query_basic(file, &name, NULL, &numbers[0], NULL), mpid_rc_ok);
    draft_check_text(name, "out/restart.dat");
    cr_assert_eq(numbers[0], MPILENS_FILE_CREATE | MPILENS_FILE_READ_WRITE);
    mpid_file_handle_free(file);
    cr_assert_eq(mpid_op_query(draft_process, in_c(0x98000001), MPID_TYPE_LANG_C, &op), mpid_rc_ok);
    cr_assert_eq(mpid_op_query_basic(op, NULL, NULL, &function, &numbers[0], NULL), mpid_rc_ok);
    cr_assert_eq(function, 0x401700);
    mpid_op_handle_free(op);
    cr_assert_eq(mpid_errhandler_query(draft_process, in_c(0x94000001), MPID_TYPE_LANG_C, &errhandler), mpid_rc_ok);
    cr_assert_eq(mpid_errhandler_query_basic(errhandler, NULL, &numbers[0], &function, NULL), mpid_rc_ok);
    cr_assert_eq(numbers[0], MPID_INFO_COMMUNICATOR | MPID_INFO_HANDLE_C);
    cr_assert_eq(function, 0x401800);
    mpid_errhandler_handle_free(errhandler);
    cr_assert_eq(mpid_info_query(draft_process, in_c(0x9c000001), MPID_TYPE_LANG_C, &info), mpid_rc_ok);
    cr_assert_eq(mpid_info_query_entries(info, &numbers[0], NULL), mpid_rc_ok);
    cr_assert_eq(numbers[0], 2);
    mpid_info_handle_free(info);
    uint64_t value = 0;
    for (uint64_t handle = 0x98000000; value == 0 && handle < 0x98000100; handle++)
        if (mpid_request_query(draft_process, in_c(handle), MPID_TYPE_LANG_C, &request) == mpid_rc_ok) {
            cr_assert_eq(mpid_request_query_basic(request, &name, NULL, &numbers[0]), mpid_rc_ok);
            if (numbers[0] == MPILENS_OPERATION_FILE)
                value = handle;
            mpid_debugger_free(name);
            if (value == 0)
                mpid_request_handle_free(request);
        }
    cr_assert_neq(value, 0);
    cr_assert_eq(mpid_request_query_object(request, &object), mpid_rc_ok);
    cr_assert_eq(mpid_handle_query_value(object, &numbers[0], &function, &numbers[1], &numbers[2]), mpid_rc_ok);
    cr_assert_eq(numbers[0], MPILENS_OBJECT_FILE);
    cr_assert_eq(function, 0x5555000);
    mpid_handle_free(object);
    mpid_request_handle_free(request);
    cr_assert_eq(mpid_status_query(draft_process, draft_contents.status, &status), mpid_rc_ok);
    cr_assert_eq(mpid_status_query_basic(status, NULL, &numbers[0], &numbers[1], &numbers[2], &bytes, &numbers[3]),
                 mpid_rc_ok);
    cr_assert_eq(numbers[0], 3);
    cr_assert_eq(numbers[1], 42);
    cr_assert_eq(bytes, 12);
    mpid_status_handle_free(status);
}

Test(mpid_objects, origin)
{
    char *functions[2];
    mpid_address_t sites[2];
    mpid_comm_handle_t *comm = draft_comm(0x84000002);
    cr_assert_eq(
        mpid_handle_query_origin((mpid_any_handle_t *)(void *)comm, &functions[0], &sites[0], &functions[1], &sites[1]),
        mpid_rc_ok);
    draft_check_text(functions[0], "MPI_Comm_split");
    cr_assert_eq(sites[0], 0x401500);
    cr_assert_null(functions[1]);
    cr_assert_eq(sites[1], 0);
    mpid_comm_handle_free(comm);
}
