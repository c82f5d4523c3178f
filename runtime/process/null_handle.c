/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores the null handles of C and Fortran for readers.
 */
#include "process/process.h"

#include "loader/loader.h"
#include "memory/memory.h"
#include "mpi/mpi_traits.h"
#include "mpilens/object_kind.h"

#include <assert.h>

static_assert(sizeof mpilens_process.null_handles / sizeof mpilens_process.null_handles[0] > MPILENS_NO_PROC_PLACE &&
                  MPILENS_NO_PROC_PLACE > MPILENS_OBJECT_STATUS,
              "process.null_handles is too short");

static void set_at(unsigned place, enum mpilens_object_kind kind, uint64_t handle)
{
    int32_t fortran;
    if (!fortran_handle_of(kind, handle, &fortran))
        return;
    mpilens_process.null_handles[place] = handle;
    mpilens_process.fortran_null_handles[place] = fortran;
    __atomic_fetch_or(&mpilens_process.known_nulls, 1u << place, __ATOMIC_RELEASE);
}

static void set(enum mpilens_object_kind kind, uint64_t handle)
{
    set_at(kind, kind, handle);
}

void null_handles_initialize(void)
{
    set(MPILENS_OBJECT_COMMUNICATOR, HANDLE_VALUE(MPI_COMM_NULL));
    set(MPILENS_OBJECT_GROUP, HANDLE_VALUE(MPI_GROUP_NULL));
    set(MPILENS_OBJECT_DATATYPE, HANDLE_VALUE(MPI_DATATYPE_NULL));
    set(MPILENS_OBJECT_OP, HANDLE_VALUE(MPI_OP_NULL));
    set(MPILENS_OBJECT_ERRHANDLER, HANDLE_VALUE(MPI_ERRHANDLER_NULL));
    set(MPILENS_OBJECT_INFO, HANDLE_VALUE(MPI_INFO_NULL));
    set(MPILENS_OBJECT_KEYVAL, HANDLE_VALUE(MPI_KEYVAL_INVALID));
#ifdef MPI_SESSION_NULL
    set(MPILENS_OBJECT_SESSION, HANDLE_VALUE(MPI_SESSION_NULL));
#endif
    set(MPILENS_OBJECT_WINDOW, HANDLE_VALUE(MPI_WIN_NULL));
    set(MPILENS_OBJECT_FILE, HANDLE_VALUE(MPI_FILE_NULL));
    set(MPILENS_OBJECT_MESSAGE, HANDLE_VALUE(MPI_MESSAGE_NULL));
    set_at(MPILENS_NO_PROC_PLACE, MPILENS_OBJECT_MESSAGE, HANDLE_VALUE(MPI_MESSAGE_NO_PROC));
    set(MPILENS_OBJECT_REQUEST, HANDLE_VALUE(MPI_REQUEST_NULL));
}
