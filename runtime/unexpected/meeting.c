/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A barrier of empty messages with the tag, in which every round doubles how many know of each other.
 */
#include "unexpected/unexpected.h"

#include "objects/objects.h"

#define MPI mpilens__library

static bool are_of_this_world(MPI_Group group, int size)
{
    MPI_Group world, common;
    int size_of_common = -1;
    MPI.MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI.MPI_Group_intersection(group, world, &common);
    MPI.MPI_Group_size(common, &size_of_common);
    MPI.MPI_Group_free(&common);
    MPI.MPI_Group_free(&world);
    return size_of_common == size;
}

static void meet(MPI_Comm communicator, MPI_Group group, int tag)
{
    MPI_Group all;
    int size = 0, rank = MPI_UNDEFINED;
    MPI.MPI_Group_size(group, &size);
    MPI.MPI_Group_rank(group, &rank);
    if (rank == MPI_UNDEFINED || !are_of_this_world(group, size) ||
        MPI.MPI_Comm_group(communicator, &all) != MPI_SUCCESS)
        return;
    int error = MPI_SUCCESS;
    for (int distance = 1; distance < size && error == MPI_SUCCESS; distance *= 2) {
        const int members[2] = {(rank + distance) % size, (rank - distance + size) % size};
        int ranks[2] = {MPI_PROC_NULL, MPI_PROC_NULL};
        MPI_Request send = MPI_REQUEST_NULL;
        MPI.MPI_Group_translate_ranks(group, 2, members, all, ranks);
        error = MPI.MPI_Isend(NULL, 0, MPI_BYTE, ranks[0], tag, communicator, &send);
        if (error == MPI_SUCCESS)
            error = mpilens__asked.MPI_Recv(NULL, 0, MPI_BYTE, ranks[1], tag, communicator, MPI_STATUS_IGNORE);
        if (send != MPI_REQUEST_NULL)
            MPI.MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    MPI.MPI_Group_free(&all);
}

/* Others may be none: MPI has not accepted them yet. */
static bool is_known(MPI_Comm communicator)
{
    return communicator_find(HANDLE_VALUE(communicator)) != NULL;
}

void meeting_of_group(MPI_Comm communicator, MPI_Group group, int tag)
{
    question_begin(HANDLE_VALUE(communicator), MPI_ANY_SOURCE, tag);
    if (COMMUNICATORS_COME_BY_TAG && is_known(communicator) && group_find(HANDLE_VALUE(group)) != NULL && tag >= 0)
        meet(communicator, group, tag);
}

void meeting_of_leaders(MPI_Comm local, int leader, MPI_Comm communicator, int remote_leader, int tag)
{
    int rank = -1, size = 0, own_rank = -1;
    const bool leads = COMMUNICATORS_COME_BY_TAG && is_known(local) && MPI.MPI_Comm_rank(local, &rank) == MPI_SUCCESS &&
                       rank == leader;
    question_begin(HANDLE_VALUE(leads ? communicator : MPI_COMM_NULL), MPI_ANY_SOURCE, tag);
    if (!leads || !is_known(communicator) || tag < 0 || MPI.MPI_Comm_size(communicator, &size) != MPI_SUCCESS ||
        MPI.MPI_Comm_rank(communicator, &own_rank) != MPI_SUCCESS || own_rank == remote_leader || remote_leader < 0 ||
        remote_leader >= size)
        return;
    const int ranks[2] = {own_rank, remote_leader};
    MPI_Group all, leaders;
    MPI.MPI_Comm_group(communicator, &all);
    MPI.MPI_Group_incl(all, 2, ranks, &leaders);
    meet(communicator, leaders, tag);
    MPI.MPI_Group_free(&leaders);
    MPI.MPI_Group_free(&all);
}

void meeting_end(void)
{
    question_end();
}
