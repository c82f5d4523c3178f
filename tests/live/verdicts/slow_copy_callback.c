/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A communicator is duplicated; rank 0 computes for long in the callback that copies an attribute. Some MPIs let the
 * others wait in the call, some let them go on to a barrier.
 *
 * EXPECT none
 * RANKS 3
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

#include <stddef.h>

static int copy_slowly(MPI_Comm communicator, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)communicator;
    (void)key;
    (void)extra;
    while (!told_to_end()) {
        compute(10);
    }
    *(void **)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank;
    int key;
    MPI_Comm team;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &team);
    MPI_Comm_create_keyval(copy_slowly, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    if (rank == 0) {
        MPI_Comm_set_attr(team, key, &key);
    }
    MPI_Comm_dup(team, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&team);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
