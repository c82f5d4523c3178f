/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A communicator is freed; rank 0 computes for long in the callback of an attribute of it, and the others have left the
 * call and wait for rank 0.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

#include <stddef.h>

static int finish_work(MPI_Comm communicator, int key, void *value, void *extra)
{
    (void)communicator;
    (void)key;
    (void)value;
    (void)extra;
    while (!told_to_end()) {
        compute(10);
    }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank;
    int key;
    int result = 0;
    MPI_Comm team;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &team);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish_work, &key, NULL);
    if (rank == 0) {
        MPI_Comm_set_attr(team, key, &key);
    }
    MPI_Comm_free(&team);
    if (rank == 0) {
        for (int i = 1; i < 3; i++) {
            MPI_Send(&result, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(&result, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
