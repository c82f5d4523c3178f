/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a 2 x 2 grid and its rows by MPI_Cart_sub; MPI_Neighbor_alltoall on the grid is done, the receives in rows
 * hang.
 *
 * RANKS 4
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int values[8] = {0};
    int got[8];
    MPI_Comm grid;
    MPI_Comm row;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){1, 1}, 0, &grid);
    MPI_Cart_sub(grid, (int[]){0, 1}, &row);
    MPI_Comm_set_name(grid, "grid");
    MPI_Neighbor_alltoall(values, 1, MPI_INT, got, 1, MPI_INT, grid);
    expect_world();
    expect_collective(expect_communicator(grid, "grid", "grid", "MPI_Cart_create of MPI_COMM_WORLD"),
                      "neighbor_alltoall", 1, 0);
    struct expected_communicator *mine =
        expect_communicator(row, rank / 2 ? "row 1" : "row 0", NULL, "MPI_Cart_sub of *");
    int peer = 1 - rank % 2;
    expect_receive(mine, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = peer,
                                 .world = rank / 2 * 2 + peer, .tag = 2, .count = 8, .buffer = values));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(values, 8, MPI_INT, peer, 2, row, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
