/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

int main(int argc, char **argv)
{
    double sent_values[64] = {0}, left[64];
    int row_rank;
    MPI_Comm grid, row;
    MPI_Datatype column;
    MPI_Request sent;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){1, 1}, 0, &grid);
    MPI_Comm_set_name(grid, "grid");
    MPI_Cart_sub(grid, (int[]){1, 0}, &row);
    MPI_Comm_set_name(row, "row");
    MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Comm_rank(row, &row_rank);
    MPI_Isend(sent_values, 64, MPI_DOUBLE, 1 - row_rank, 7, row, &sent);
    MPI_Recv(left, 1, column, 1 - row_rank, 8, row, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
