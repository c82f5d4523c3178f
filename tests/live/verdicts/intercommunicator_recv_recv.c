/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An ocean and an atmosphere of two ranks each, coupled by an intercommunicator: their first ranks wait for each other.
 *
 * EXPECT deadlock ranks 0,2 culprits 0,2 lines flux
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { tag_flux = 30 };

int main(int argc, char **argv)
{
    int rank;
    double flux[8] = {0};
    MPI_Comm model;
    MPI_Comm coupler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int is_ocean = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_ocean, rank, &model);
    MPI_Intercomm_create(model, 0, MPI_COMM_WORLD, is_ocean ? 2 : 0, 1, &coupler);
    MPI_Comm_rank(model, &rank);
    if (rank == 0) {
        MPI_Recv(flux, 8, MPI_DOUBLE, 0, tag_flux, coupler, MPI_STATUS_IGNORE); /* LINE(flux) */
        MPI_Send(flux, 8, MPI_DOUBLE, 0, tag_flux, coupler);
    }
    MPI_Bcast(flux, 8, MPI_DOUBLE, 0, model);
    MPI_Comm_free(&coupler);
    MPI_Comm_free(&model);
    MPI_Finalize();
    return 0;
}
