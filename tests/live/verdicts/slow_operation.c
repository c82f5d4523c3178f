/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All are in the same reduction, the operation of which takes long: it is the application's.
 *
 * EXPECT none
 * RANKS 3
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

static void merge(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    compute(500);
    for (int i = 0; i < *length; i++) {
        ((int *)inout)[i] |= ((int *)in)[i];
    }
}

int main(int argc, char **argv)
{
    int end_here;
    int last = 0;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Op_create(merge, 1, &op);
    while (!last) {
        end_here = told_to_end();
        MPI_Allreduce(&end_here, &last, 1, MPI_INT, op, MPI_COMM_WORLD);
    }
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
