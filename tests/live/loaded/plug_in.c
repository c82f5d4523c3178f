/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plug-in that is linked with MPI, where the program that loads it is not.
 */
#include <mpi.h>
#include <unistd.h>

int plug_in_run(void);

int plug_in_run(void)
{
    int rank, value;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (rank == 0) {
        pause();
    }
    MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
