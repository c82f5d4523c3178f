/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a program that never calls MPI_Init: a session, a communicator made from its group, a receive of what nobody
 * sends.
 *
 * RANKS 2
 * NEEDS MPI_Session_init
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(void)
{
    int value, rank;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session); /* LINE(session) */
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);     /* LINE(group) */
    MPI_Comm_create_from_group(group, "org.mpilens.live", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm); /* LINE(comm) */
    MPI_Comm_rank(comm, &rank);
    expect_begin_without_world(rank);
    int other = 1 - rank;
    struct expected_communicator *all = expect_communicator(comm, "all", NULL, "MPI_Comm_create_from_group*");
    expect_object(OBJECT("session", session, .function = "MPI_Session_init", .line = "session"));
    expect_object(OBJECT("group", group, .function = "MPI_Group_from_session_pset", .line = "group"));
    expect_object(OBJECT("communicator", comm, .function = "MPI_Comm_create_from_group", .line = "comm"));
    expect_receive(all, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                .world = other, .tag = 3, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, other, 3, comm, MPI_STATUS_IGNORE); /* LINE(recv) */
    return 0;
}
