/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keyvals, error handlers and attributes of Fortran programs, with and without a C function behind them.
 */
#include "fake_fortran.h"
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(fortran_object, .init = begin_mpi);

static char copy_code, delete_code;
static MPI_Fint error;
static const MPI_Fint world = MPI_COMM_WORLD;

static const struct mpilens_keyval *find_keyval(int handle, size_t *ret_count)
{
    const struct mpilens_keyval *found = NULL;
    const struct mpilens_keyval *record;
    *ret_count = 0;
    for (size_t i = 0; (record = shadow_record(MPILENS_TABLE_KEYVALS, MPILENS_OBJECT_LIVE, i)); i++)
        if (record->handle == (uint32_t)handle) {
            found = record;
            ++*ret_count;
        }
    return found;
}

__attribute__((noinline)) static MPI_Fint creates_keyval(void)
{
    MPI_Fint keyval = 0;
    const MPI_Aint state = 42;
    mpi_comm_create_keyval_(&copy_code, &delete_code, &keyval, &state, &error);
    cr_assert_eq(error, MPI_SUCCESS);
    return keyval;
}

Test(fortran_object, keyval_is_recorded_though_no_c_function_makes_it)
{
    size_t count;
    MPI_Fint keyval = creates_keyval();
    const struct mpilens_keyval *record = find_keyval(keyval, &count);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Comm_create_keyval");
    cr_assert(site_is_in(record->site, CODE_OF(creates_keyval)));
    cr_assert_eq(record->copy_function, (uint64_t)(uintptr_t)&copy_code);
    cr_assert_eq(record->delete_function, (uint64_t)(uintptr_t)&delete_code);
    cr_assert_eq(record->extra_state, 42);
    cr_assert_eq(record->object_kind, MPILENS_ATTACHABLE_COMMUNICATOR);
}

Test(fortran_object, failure_makes_nothing)
{
    size_t count;
    MPI_Fint keyval = -1;
    const MPI_Aint state = 42;
    mpi_comm_create_keyval_(&copy_code, &delete_code, &keyval, &state, &error);
    cr_assert_neq(error, MPI_SUCCESS);
    cr_assert_null(find_keyval(keyval, &count));
}

__attribute__((noinline)) static MPI_Fint creates_type_keyval(void)
{
    MPI_Fint keyval = 0;
    const MPI_Aint state = 42;
    fake.object = 0x64800002;
    mpi_type_create_keyval_(&copy_code, &delete_code, &keyval, &state, &error);
    cr_assert_eq(error, MPI_SUCCESS);
    return keyval;
}

Test(fortran_object, keyval_that_a_c_function_makes_is_recorded_once)
{
    size_t count;
    const struct mpilens_keyval *record = find_keyval(creates_type_keyval(), &count);
    cr_assert_eq(count, 1);
    cr_assert_eq(record->object_kind, MPILENS_ATTACHABLE_DATATYPE);
    cr_assert(site_is_in(record->site, CODE_OF(creates_type_keyval)));
}

__attribute__((noinline)) static MPI_Fint creates_keyval_f08(void)
{
    MPI_Fint keyval = 0;
    const MPI_Aint state = 42;
    mpi_comm_create_keyval_f08_(&copy_code, &delete_code, &keyval, &state, NULL);
    return keyval + (MPI_Fint)(state - 42);
}

Test(fortran_object, function_that_goes_through_another_records_once)
{
    size_t count;
    const struct mpilens_keyval *record = find_keyval(creates_keyval_f08(), &count);
    cr_assert_eq(count, 1);
    cr_assert(site_is_in(record->site, CODE_OF(creates_keyval_f08)));
}

Test(fortran_object, error_handler_is_recorded)
{
    MPI_Fint handler = 0;
    mpi_comm_create_errhandler_(&copy_code, &handler, &error);
    const struct mpilens_errhandler *record;
    size_t count = 0;
    for (size_t i = 0; (record = shadow_record(MPILENS_TABLE_ERRHANDLERS, MPILENS_OBJECT_LIVE, i)); i++)
        if (record->handle == (uint32_t)handler) {
            count++;
            cr_assert_eq(record->user_function, (uint64_t)(uintptr_t)&copy_code);
        }
    cr_assert_eq(count, 1);
}

static void sends_something(void)
{
    static char buffer[8];
    const MPI_Fint one = 1, datatype = MPI_INT;
    mpi_send_(buffer, &one, &datatype, &one, &one, &world, &error);
    cr_assert_eq(error, MPI_SUCCESS);
}

__attribute__((noinline)) static void sets_attribute(MPI_Fint keyval, MPI_Aint value)
{
    mpi_comm_set_attr_(&world, &keyval, &value, &error);
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(fortran_object, attribute_is_recorded_whatever_its_callbacks_call)
{
    MPI_Fint keyval = creates_keyval();
    for (MPI_Aint value = 7; value < 10; value++) {
        sets_attribute(keyval, value);
        const struct mpilens_attribute *record = shadow_record(MPILENS_TABLE_ATTRIBUTES, MPILENS_OBJECT_LIVE, 0);
        cr_assert_not_null(record);
        cr_assert_eq(record->value, (uint64_t)value);
        cr_assert_eq(record->object, (uint64_t)(uintptr_t)shadow_communicator(MPI_COMM_WORLD));
        cr_assert(site_is_in(record->site, CODE_OF(sets_attribute)));
        cr_assert_null(shadow_record(MPILENS_TABLE_ATTRIBUTES, MPILENS_OBJECT_LIVE, 1));
        fake_fortran_callback = sends_something;
    }
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 1), 2);
}

Test(fortran_object, says_whether_a_fortran_statement_has_made_it)
{
    size_t count;
    int keyval;
    cr_assert(find_keyval(creates_keyval(), &count)->flags & MPILENS_OBJECT_FROM_FORTRAN);
    cr_assert(find_keyval(creates_type_keyval(), &count)->flags & MPILENS_OBJECT_FROM_FORTRAN);
    fake.object = 0x64400007;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    cr_assert_not(find_keyval(keyval, &count)->flags & MPILENS_OBJECT_FROM_FORTRAN);
}

static int keyval_of_callback;

static void creates_keyval_in_c(void)
{
    fake.object = 0x64400008;
    cr_assert_eq(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval_of_callback, NULL),
                 MPI_SUCCESS);
}

Test(fortran_object, callback_inside_a_fortran_statement_is_no_statement)
{
    size_t count;
    const MPI_Aint value = 1;
    const MPI_Fint keyval = creates_keyval();
    fake_fortran_callback = creates_keyval_in_c;
    mpi_comm_set_attr_(&world, &keyval, &value, &error);
    cr_assert_not(find_keyval(keyval_of_callback, &count)->flags & MPILENS_OBJECT_FROM_FORTRAN);
}
