/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of duplicates.
 */
#include "attributes.h"
#include "constructors.h"
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(attribute_copy, .init = begin_mpi);

Test(attribute_copy, is_copied_as_its_keyval_says)
{
    uint64_t value = address_of(&values[5]);
    int kept = make_keyval(KEYVAL, copy_always);
    int dropped = make_keyval(KEYVAL + 1, MPI_COMM_NULL_COPY_FN);
    set_attribute(MPI_COMM_WORLD, kept, &values[0]);
    set_attribute(MPI_COMM_WORLD, dropped, &values[1]);
    MPI_Comm declined = duplicate_as(MPI_COMM_WORLD, COMMUNICATOR);
    cr_assert_eq(fake.attribute_calls, 1, "the other is sure not to be copied");
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 2, "the callback has declined");
    fake.attribute = &value;
    MPI_Comm copied = duplicate_as(MPI_COMM_WORLD, COMMUNICATOR + 1);
    cr_assert_eq(value_of(copied, kept), value, "as the callback has made it");
    cr_assert_eq(value_of(copied, dropped), 0);
    MPI_Comm_free(&declined);
    MPI_Comm_free(&copied);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, kept);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, dropped);
    MPI_Comm_free_keyval(&kept);
    MPI_Comm_free_keyval(&dropped);
    end_mpi();
}

Test(attribute_copy, is_not_asked_for_with_a_keyval_that_is_freed)
{
    int keyval = make_keyval(KEYVAL, copy_always);
    set_attribute(MPI_COMM_WORLD, keyval, &values[0]);
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, COMMUNICATOR);
    cr_assert_eq(fake.attribute_calls, 0);
    cr_assert_eq(value_of(communicator, KEYVAL), address_of(&values[0]));
    MPI_Comm_free(&communicator);
    MPI_Finalize();
}

Test(attribute_copy, is_not_asked_for_of_a_communicator_that_is_not_ready)
{
    MPI_Comm communicator;
    MPI_Request request;
    int keyval = make_keyval(KEYVAL, copy_always);
    set_attribute(MPI_COMM_WORLD, keyval, &values[0]);
    fake.communicator = (MPI_Comm)COMMUNICATOR;
    MPI_Comm_idup(MPI_COMM_WORLD, &communicator, &request);
    cr_assert_eq(fake.attribute_calls, 0);
    cr_assert_eq(value_of(communicator, keyval), address_of(&values[0]));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&communicator);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
    end_mpi();
}

Test(attribute_copy, is_not_inherited_by_what_is_no_duplicate)
{
    uint64_t value = address_of(&values[5]);
    MPI_Comm communicator;
    int keyval = make_keyval(KEYVAL, copy_always);
    set_attribute(MPI_COMM_WORLD, keyval, &values[0]);
    fake.attribute = &value;
    fake.communicator = (MPI_Comm)COMMUNICATOR;
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &communicator);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 1);
    MPI_Comm_free(&communicator);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
    end_mpi();
}
