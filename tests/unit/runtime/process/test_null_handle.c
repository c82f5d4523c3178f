/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Null handles in the root.
 */
#include "inside.h"
#include "mpilens/object_kind.h"

#include <criterion/criterion.h>

static void check(unsigned kind, uint64_t handle, int32_t fortran)
{
    cr_assert(mpilens_process.known_nulls & (1u << kind));
    cr_assert_eq(mpilens_process.null_handles[kind], handle);
    cr_assert_eq(mpilens_process.fortran_null_handles[kind], fortran);
}

Test(null_handle, of_every_kind_is_known_when_mpi_is_initialized)
{
    cr_assert_eq(mpilens_process.known_nulls, 0);
    begin_mpi();
    check(MPILENS_OBJECT_COMMUNICATOR, MPI_COMM_NULL, MPI_COMM_NULL);
    check(MPILENS_OBJECT_GROUP, MPI_GROUP_NULL, MPI_GROUP_NULL);
    check(MPILENS_OBJECT_DATATYPE, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL);
    check(MPILENS_OBJECT_OP, MPI_OP_NULL, MPI_OP_NULL);
    check(MPILENS_OBJECT_ERRHANDLER, MPI_ERRHANDLER_NULL, MPI_ERRHANDLER_NULL);
    check(MPILENS_OBJECT_INFO, MPI_INFO_NULL, MPI_INFO_NULL);
    check(MPILENS_OBJECT_KEYVAL, MPI_KEYVAL_INVALID, MPI_KEYVAL_INVALID);
    check(MPILENS_OBJECT_SESSION, MPI_SESSION_NULL, MPI_SESSION_NULL);
    check(MPILENS_OBJECT_WINDOW, MPI_WIN_NULL, MPI_WIN_NULL);
    check(MPILENS_OBJECT_FILE, (uint64_t)(uintptr_t)MPI_FILE_NULL, 0);
    check(MPILENS_OBJECT_MESSAGE, MPI_MESSAGE_NULL, MPI_MESSAGE_NULL);
    check(MPILENS_OBJECT_REQUEST, MPI_REQUEST_NULL, MPI_REQUEST_NULL);
    check(MPILENS_NO_PROC_PLACE, MPI_MESSAGE_NO_PROC, MPI_MESSAGE_NO_PROC);
    for (unsigned kind = 0; kind < 32; kind++)
        if (kind == MPILENS_OBJECT_NONE || kind == MPILENS_OBJECT_ATTRIBUTE || kind == MPILENS_OBJECT_STATUS ||
            kind > MPILENS_NO_PROC_PLACE)
            cr_assert_not(mpilens_process.known_nulls & (1u << kind), "%u has no handles", kind);
}

Test(null_handle, has_the_size_and_the_languages_of_this_mpi)
{
    begin_mpi();
    cr_assert_eq(mpilens_process.handle_bytes, sizeof(MPI_Comm));
    cr_assert_eq(mpilens_process.fortran_is_c, 1);
}
