/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 sums with an operation of its own, which it says not to be commutative: its tree is another one.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 1 lines reduce
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { count = 100000, root = 3 };

static double given[count], taken[count];

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++) {
        ((double *)inout)[i] += ((double *)in)[i];
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Op op = MPI_SUM;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Op_create(add, 0, &op);
    }
    MPI_Reduce(given, taken, count, MPI_DOUBLE, op, root, MPI_COMM_WORLD); /* LINE(reduce) */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
