/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open MPI makes communicators by messages with the application's tag on the application's communicator
 * (MPI_Comm_create_group, and between leaders MPI_Intercomm_create), and receives them where nobody can say that they
 * were taken out. So those who make one meet before: once all have come, all leave such messages alone.
 */
#ifndef MPILENS_RUNTIME_UNEXPECTED_MEETING_H
#define MPILENS_RUNTIME_UNEXPECTED_MEETING_H

#include "mpi/functions.h"

/* Until meeting_end, this process takes no messages with the tag out of the communicator. Returns when all members of
 * the group have come here; at once where some are not of this MPI_COMM_WORLD, who may not be started so. An error of
 * MPI is left to the call that follows. */
void meeting_of_group(MPI_Comm communicator, MPI_Group group, int tag);

/* The same for two leaders; at once for those who are none. */
void meeting_of_leaders(MPI_Comm local, int leader, MPI_Comm communicator, int remote_leader, int tag);

void meeting_end(void);

#endif
