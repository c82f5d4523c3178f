/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root adds up two rows of integers, the others as many bytes of single numbers, which are reals. With fewer
 * elements than ranks, Open MPI uses another algorithm: the root finishes, the others never do.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 0 lines rows,numbers
 * RANKS 4
 * ONLY openmpi
 * CHECK openmpi
 */
#include <mpi.h>

enum { rows = 2, columns = 300 };

static float given[rows * columns], taken[rows * columns];

/* The sum of whatever it is. */
static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int bytes;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *length * bytes / (int)sizeof(float); i++) {
        ((float *)inout)[i] += ((float *)in)[i];
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Op sum;
    MPI_Datatype row;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(add, 1, &sum);
    MPI_Type_contiguous(columns, MPI_INT, &row);
    MPI_Type_commit(&row);
    if (rank == 0) {
        MPI_Ireduce(given, taken, rows, row, sum, 0, MPI_COMM_WORLD, &request); /* LINE(rows) */
    } else {
        MPI_Ireduce(given, taken, rows * columns, MPI_FLOAT, sum, 0, MPI_COMM_WORLD, &request); /* LINE(numbers) */
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
