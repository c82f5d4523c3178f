/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A session with a communicator, both gone; then a pause: nothing is left.
 *
 * RANKS 2
 * NEEDS MPI_Session_init
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(void)
{
    int rank;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info info;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_get_info(session, &info);
    MPI_Info_free(&info);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "org.mpilens.live", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    expect_begin_without_world(rank);
    expect_finalized();
    expect_ready();
    expect_pause();
}
