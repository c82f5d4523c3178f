/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of constructors.
 */
#include "constructors.h"

#include "fake_mpi.h"

#include <criterion/criterion.h>

char window_memory[256];

MPI_Comm duplicate_as(MPI_Comm parent, int handle)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    fake.communicator = (MPI_Comm)handle;
    cr_assert_eq(MPI_Comm_dup(parent, &communicator), MPI_SUCCESS);
    return communicator;
}

MPI_Comm split_as(MPI_Comm parent, int handle)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    fake.communicator = (MPI_Comm)handle;
    cr_assert_eq(MPI_Comm_split(parent, 0, 0, &communicator), MPI_SUCCESS);
    return communicator;
}

MPI_Win create_window_as(MPI_Comm communicator, int handle)
{
    MPI_Win window = MPI_WIN_NULL;
    fake.window = (MPI_Win)handle;
    cr_assert_eq(MPI_Win_create(window_memory, sizeof window_memory, 8, MPI_INFO_NULL, communicator, &window),
                 MPI_SUCCESS);
    return window;
}
