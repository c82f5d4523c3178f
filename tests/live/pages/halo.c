/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

struct particle {
    char kind;
    double place[3];
    int cell;
};

int main(int argc, char **argv)
{
    const MPI_Aint places[] = {0, offsetof(struct particle, place), offsetof(struct particle, cell)};
    int rank, first = 0, second = 0;
    MPI_Request request;
    MPI_Comm grid, row;
    MPI_Datatype three, particle;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){1, 0}, 0, &grid);
    MPI_Comm_set_name(grid, "grid");
    MPI_Cart_sub(grid, (int[]){1, 0}, &row);
    MPI_Comm_set_name(row, "row");
    MPI_Type_contiguous(3, MPI_DOUBLE, &three);
    MPI_Type_create_struct(3, (int[]){1, 1, 1}, places, (MPI_Datatype[]){MPI_CHAR, three, MPI_INT}, &particle);
    MPI_Type_set_name(particle, "particle");
    MPI_Type_commit(&particle);
    MPI_Comm_rank(row, &rank);
    MPI_Irecv(&first, 1, MPI_INT, 1 - rank, 1, row, &request);
    MPI_Recv(&second, 1, MPI_INT, 1 - rank, 2, row, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
