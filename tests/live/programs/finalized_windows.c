/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows in every kind of epoch, freed, then MPI_Finalize, then a pause: nothing is left.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    int memory[4] = {0}, *own, keyval;
    MPI_Request request;
    MPI_Group all, one;
    MPI_Win created, allocated, dynamic;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    expect_world();
    int other = 1 - rank;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, comm, &created);
    MPI_Win_fence(0, created);
    MPI_Put(&rank, 1, MPI_INT, other, 0, 1, MPI_INT, created);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, created);
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 1, &other, &one);
    MPI_Win_post(one, 0, created);
    MPI_Win_start(one, 0, created);
    MPI_Group_free(&one);
    MPI_Win_complete(created);
    MPI_Win_wait(created);
    MPI_Group_free(&all);
    MPI_Win_get_group(created, &all);
    MPI_Group_free(&all);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyval, NULL);
    MPI_Win_set_attr(created, keyval, memory);
    MPI_Win_free_keyval(&keyval);
    MPI_Win_free(&created);

    MPI_Win_allocate(sizeof *own, sizeof *own, MPI_INFO_NULL, comm, &own, &allocated);
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, allocated);
    MPI_Win_unlock(other, allocated);
    MPI_Win_lock_all(0, allocated);
    MPI_Rput(&rank, 1, MPI_INT, other, 0, 1, MPI_INT, allocated, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(allocated);
    MPI_Win_free(&allocated);

    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &dynamic);
    MPI_Win_attach(dynamic, memory, sizeof memory);
    MPI_Win_detach(dynamic, memory);
    MPI_Win_free(&dynamic);
    expect_finalized();
    MPI_Finalize();
    expect_ready();
    expect_pause();
}
