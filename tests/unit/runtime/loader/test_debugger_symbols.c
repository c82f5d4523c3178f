/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symbols by which debuggers find the DLL.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <string.h>

extern char MPIR_dll_name[];
extern char **mpimsgq_dll_locations;
extern char **mpidbg_dll_locations;
extern char **MPI_D_dll_locations;

static void expect_location(char **locations)
{
    cr_assert_not_null(locations);
    cr_assert_not_null(locations[0]);
    cr_assert_eq(locations[0][0], '/');
    cr_assert_not_null(strstr(locations[0], "/libmpilens_dll.so"));
    cr_assert_null(locations[1]);
}

static void expect_locations(void)
{
    expect_location(mpimsgq_dll_locations);
    expect_location(mpidbg_dll_locations);
    expect_location(MPI_D_dll_locations);
    cr_assert_str_eq(MPIR_dll_name, mpimsgq_dll_locations[0]);
}

Test(debugger_symbols, are_complete_before_mpi_is_used)
{
    expect_locations();
}

/* As Open MPI 4 does with variables of the same names, which are then ours. */
static void forget_locations(const struct fake_call *call)
{
    look_inside(call);
    mpimsgq_dll_locations[0] = NULL;
    mpimsgq_dll_locations = NULL;
    mpidbg_dll_locations = NULL;
}

Test(debugger_symbols, survive_a_library_that_has_variables_of_the_same_names)
{
    fake.hook = forget_locations;
    MPI_Init(NULL, NULL);
    cr_assert_str_eq(inside.function, "MPI_Init");
    expect_locations();
}
