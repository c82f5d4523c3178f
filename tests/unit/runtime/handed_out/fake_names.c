/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of the fake MPI library beside the profiling interface, for programs that use dlsym.
 */
#include "fake_mpi.h"

unsigned fake_calls(void);

unsigned fake_calls(void)
{
    return fake.calls;
}

int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator)
{
    return PMPI_Send(buffer, count, datatype, peer, tag, communicator);
}

/* Not wrapped. */
int MPI_Get_version(int *version, int *subversion)
{
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}
