/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Predefined handles by their values.
 */
#include "stack/stack_internal.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(predefined_handles, integers_of_mpich)
{
    cr_expect_str_eq(predefined_handle_of_integer(0x44000000), "MPI_COMM_WORLD");
    cr_expect_str_eq(predefined_handle_of_integer(0x4c00080b), "MPI_DOUBLE");
    cr_expect_str_eq(predefined_handle_of_integer(0x58000001), "MPI_MAX");
    cr_expect_str_eq(predefined_handle_of_integer(0xffffffff8c000000), "MPI_FLOAT_INT", "with its sign");
    cr_expect_str_eq(predefined_handle_of_integer(0x8c000000), "MPI_FLOAT_INT");
    cr_expect_null(predefined_handle_of_integer(0x84000002));
    cr_expect_null(predefined_handle_of_integer(0x144000000), "an address");
}

/* The value of a handle of Fortran may be any integer where the MPI numbers its handles in another way. */
Test(predefined_handles, integers_of_fortran)
{
    static const char role[] = "communicator";
    const size_t length = sizeof role - 1;
    cr_expect_str_eq(predefined_handle_of_fortran(role, length, 0, true), "MPI_COMM_WORLD");
    cr_expect_null(predefined_handle_of_fortran(role, length, 3, true));
    cr_expect_null(predefined_handle_of_fortran(role, length, 0, false));
    cr_expect_str_eq(predefined_handle_of_fortran(role, length, 0x44000000, false), "MPI_COMM_WORLD");
}

static void expect_symbol(const char *symbol, const char *expected)
{
    char *name = predefined_handle_of_symbol(symbol);
    cr_assert_not_null(name);
    cr_expect_str_eq(name, expected);
    free(name);
}

Test(predefined_handles, objects_of_open_mpi)
{
    expect_symbol("ompi_mpi_comm_world", "MPI_COMM_WORLD");
    expect_symbol("ompi_mpi_double", "MPI_DOUBLE");
    expect_symbol("ompi_mpi_op_max", "MPI_MAX");
    expect_symbol("ompi_mpi_op_null", "MPI_OP_NULL");
    expect_symbol("ompi_mpi_dblprec", "MPI_DOUBLE_PRECISION");
    cr_expect_null(predefined_handle_of_symbol("ompi_request_null"));
}
