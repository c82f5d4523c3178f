/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Another tool between the runtime and the MPI library: counts calls, and passes them on.
 */
#include "other_tool.h"

struct other_tool other_tool;

int MPI_Send(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator)
{
    other_tool.sends++;
    int error = PMPI_Send(buffer, count, datatype, peer, tag, communicator);
    return error + (int)(other_tool.sends == 0); /* not the last thing: no jump */
}

/* As a tool that looks for sends which are only correct with buffers. */
int MPI_Isend(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator,
              MPI_Request *request)
{
    other_tool.isends++;
    int error = PMPI_Issend(buffer, count, datatype, peer, tag, communicator, request);
    return error + (int)(other_tool.isends == 0);
}

/* As a tool that keeps a communicator of its own beside each one. */
int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm *duplicate)
{
    other_tool.duplicates++;
    MPI_Comm own;
    int error = PMPI_Comm_dup(communicator, &own);
    PMPI_Barrier(own);
    PMPI_Comm_free(&own);
    return error ? error : PMPI_Comm_dup(communicator, duplicate) + (int)(other_tool.duplicates == 0);
}
