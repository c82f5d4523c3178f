/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of attributes.
 */
#include "attributes.h"
#include "inside.h"

#include <criterion/criterion.h>

enum { FIRST = (int)0xa4000000 };

TestSuite(keyval, .init = begin_mpi);

__attribute__((noinline)) static int make(int handle)
{
    int keyval = MPI_KEYVAL_INVALID;
    fake.object = handle;
    volatile int error = MPI_Comm_create_keyval(copy_always, MPI_COMM_NULL_DELETE_FN, &keyval, &fake);
    (void)error;
    return keyval;
}

Test(keyval, is_known_from_its_creation_to_its_free)
{
    int keyval = make(FIRST);
    const struct mpilens_keyval *record = shadow_keyval(keyval);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Comm_create_keyval");
    cr_assert(site_is_in(record->site, CODE_OF(make)));
    cr_assert_eq(record->copy_function, (uint64_t)(uintptr_t)CODE_OF(copy_always));
    cr_assert_eq(record->extra_state, (uint64_t)(uintptr_t)&fake);
    cr_assert_eq(record->object_kind, MPILENS_ATTACHABLE_COMMUNICATOR);
    cr_assert_not(record->flags & MPILENS_KEYVAL_NOT_COPIED);
    MPI_Comm_free_keyval(&keyval);
    cr_assert_eq(keyval, MPI_KEYVAL_INVALID);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    end_mpi();
}

Test(keyval, is_of_each_kind_of_object_and_old_name)
{
    int keyvals[4];
    fake.object = FIRST;
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyvals[0], NULL);
    fake.object = FIRST + 1;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyvals[1], NULL);
    fake.object = FIRST + 2;
    MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &keyvals[2], NULL);
    cr_assert_eq(shadow_keyval(keyvals[0])->object_kind, MPILENS_ATTACHABLE_DATATYPE);
    cr_assert_eq(shadow_keyval(keyvals[1])->object_kind, MPILENS_ATTACHABLE_WINDOW);
    cr_assert_eq(shadow_keyval(keyvals[2])->object_kind, MPILENS_ATTACHABLE_COMMUNICATOR);
    cr_assert(shadow_keyval(keyvals[0])->flags & MPILENS_KEYVAL_NOT_COPIED);
    MPI_Type_free_keyval(&keyvals[0]);
    MPI_Win_free_keyval(&keyvals[1]);
    MPI_Keyval_free(&keyvals[2]);
    end_mpi();
}

Test(keyval, copies_nothing_where_its_function_is_the_library_s_for_that)
{
    int keyval;
    fake.object = FIRST;
    MPI_Comm_create_keyval(FAKE_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    cr_assert(shadow_keyval(keyval)->flags & MPILENS_KEYVAL_NOT_COPIED);
    MPI_Comm_free_keyval(&keyval);
}

Test(keyval, predefined_ones_have_names)
{
    cr_assert_str_eq(shadow_keyval(MPI_TAG_UB)->name, "MPI_TAG_UB");
    cr_assert_str_eq(shadow_keyval(MPI_WIN_BASE)->name, "MPI_WIN_BASE");
    cr_assert_eq(shadow_keyval(MPI_WIN_BASE)->object_kind, MPILENS_ATTACHABLE_WINDOW);
    cr_assert_null(shadow_keyval(MPI_KEYVAL_INVALID));
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_KEYVALS), 0);
}

Test(keyval, calls_that_fail_change_nothing)
{
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    make(FIRST);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_KEYVALS), 0);
    int keyval = make(FIRST);
    fake.error = FAKE_ERROR(MPI_ERR_KEYVAL);
    fake.error_is_early = true;
    MPI_Comm_free_keyval(&keyval);
    cr_assert_not_null(shadow_keyval(keyval));
    int predefined = MPI_TAG_UB;
    MPI_Comm_free_keyval(&predefined);
    cr_assert_not_null(shadow_keyval(MPI_TAG_UB));
    make(FIRST); /* the first was freed by a call that was not seen */
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_KEYVALS), 1);
    MPI_Comm_free_keyval(&keyval);
    end_mpi();
}
