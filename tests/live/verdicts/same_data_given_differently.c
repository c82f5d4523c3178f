/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks 0-2 begin calls to which they give the same data in different words, or in place. Rank 3 does not begin them:
 * it waits for a message of rank 0.
 *
 * EXPECT deadlock ranks 0,3 culprits 0,3 lines wait,receive
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

enum { ranks = 4, rows = 10, columns = 100, count = rows * columns, calls = 10 };

static int given[ranks * count], taken[calls][ranks * count];

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype row, column, grid;
    MPI_Comm on[calls];
    MPI_Request requests[calls];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(columns, MPI_INT, &row);
    MPI_Type_vector(rows, 1, columns, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &grid);
    MPI_Type_commit(&row);
    MPI_Type_commit(&grid);
    for (int i = 0; i < calls; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &on[i]);
    }
    if (rank < 3) {
        const MPI_Datatype types[] = {MPI_INT, row, grid};
        const int counts[] = {count, rows, columns};
        const MPI_Datatype type = types[rank];
        const int n = counts[rank];
        const void *in_place = rank == 0 ? MPI_IN_PLACE : (void *)given;
        MPI_Ibcast(taken[0], n, type, 0, on[0], &requests[0]);
        MPI_Igather(in_place, rank == 0 ? 7 : n, type, taken[1], count, MPI_INT, 0, on[1], &requests[1]);
        MPI_Iscatter(given, count, MPI_INT, rank == 0 ? MPI_IN_PLACE : taken[2], rank == 0 ? 7 : n, type, 0, on[2],
                     &requests[2]);
        MPI_Iallgather(given, count, MPI_INT, taken[3], n, type, on[3], &requests[3]);
        MPI_Ialltoall(MPI_IN_PLACE, 7, MPI_INT, taken[4], n, type, on[4], &requests[4]);
        MPI_Ireduce(in_place, taken[5], count, rank == 1 ? MPI_INT32_T : MPI_INT, MPI_SUM, 0, on[5], &requests[5]);
        MPI_Iallreduce(MPI_IN_PLACE, taken[6], count, MPI_INT, MPI_SUM, on[6], &requests[6]);
        MPI_Iscan(MPI_IN_PLACE, taken[7], count, MPI_INT, MPI_SUM, on[7], &requests[7]);
        MPI_Ireduce_scatter_block(MPI_IN_PLACE, taken[8], count, MPI_INT, MPI_SUM, on[8], &requests[8]);
        MPI_Igather(given, n, type, taken[9], rows, row, 2, on[9], &requests[9]);
        MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE); /* LINE(wait) */
    } else {
        MPI_Recv(given, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
    }
    MPI_Finalize();
    return 0;
}
