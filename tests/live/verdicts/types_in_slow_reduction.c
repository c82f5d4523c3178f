/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 gives reals, the others as many integers. All are in the reduction, which takes long because of the operation
 * of the application, not because of that.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

static void merge(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    while (!told_to_end()) {
        compute(20);
    }
    for (int i = 0; i < *length; i++) {
        ((int *)inout)[i] |= ((int *)in)[i];
    }
}

int main(int argc, char **argv)
{
    int given = 1, taken = 0, rank;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(merge, 1, &op);
    MPI_Allreduce(&given, &taken, 1, rank == 0 ? MPI_FLOAT : MPI_INT, op, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
