/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The integers that Fortran has for the objects of a program.
 */
#include "constructors.h"
#include "inside.h"
#include "loader/loader.h"
#include "objects/objects.h"

#include <criterion/criterion.h>

TestSuite(fortran_handle, .init = begin_mpi);

static void check(const void *record, int32_t expected)
{
    const struct mpilens_object *object = record;
    cr_assert_not_null(object);
    cr_assert(object->flags & MPILENS_OBJECT_HAS_FORTRAN_HANDLE);
    cr_assert_eq(object->fortran_handle, expected, "%#x is not %#x", (unsigned)object->fortran_handle,
                 (unsigned)expected);
}

Test(fortran_handle, predefined_object_has_one)
{
    check(shadow_communicator(MPI_COMM_WORLD), MPI_COMM_WORLD);
    check(shadow_communicator(MPI_COMM_SELF), MPI_COMM_SELF);
    check(shadow_datatype(MPI_DOUBLE), MPI_DOUBLE);
    check(shadow_op(MPI_SUM), MPI_SUM);
    check(shadow_errhandler(MPI_ERRORS_RETURN), MPI_ERRORS_RETURN);
    check(shadow_info(MPI_INFO_ENV), MPI_INFO_ENV);
    check(shadow_group(MPI_GROUP_EMPTY), MPI_GROUP_EMPTY);
    check(shadow_keyval(MPI_TAG_UB), MPI_TAG_UB + 1); /* predefined keys of MPICH are others in its mpif.h */
}

Test(fortran_handle, object_of_the_application_has_one)
{
    MPI_Group group;
    MPI_Datatype datatype;
    MPI_Info info;
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    check(shadow_communicator(communicator), (int32_t)0x84000002);
    check(shadow_window(create_window_as(MPI_COMM_WORLD, 0xa0000001)), (int32_t)0xa0000001);
    MPI_Comm_group(communicator, &group);
    check(shadow_group(group), group);
    fake.datatype = (MPI_Datatype)0x8c000011;
    MPI_Type_contiguous(2, MPI_INT, &datatype);
    check(shadow_datatype(datatype), (int32_t)0x8c000011);
    fake.object = (int)0x9c000001;
    MPI_Info_create(&info);
    check(shadow_info(info), (int32_t)0x9c000001);
}

Test(fortran_handle, file_has_the_one_that_the_library_says)
{
    static char file_memory[8];
    MPI_File file;
    fake.file = (MPI_File)(void *)file_memory;
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    check(shadow_file(file), fake_file_in_fortran(file));
}

Test(fortran_handle, side_of_a_communicator_gets_one_with_its_handle)
{
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    const struct mpilens_group *side = (const struct mpilens_group *)(uintptr_t)world->group;
    cr_assert_not(side->flags & MPILENS_OBJECT_HAS_FORTRAN_HANDLE, "nobody has its handle");
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    cr_assert_eq(shadow_group(group), side);
    check(side, group);
}

Test(unprepared, no_function_is_called_before_it_is_known)
{
    int32_t fortran = 77;
    cr_assert_not(fortran_handle_of(MPILENS_OBJECT_FILE, 0x1000, &fortran));
    cr_assert_eq(fortran, 77);
}
