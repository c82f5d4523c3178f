/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The spawned program is no MPI program: it never connects to those that have spawned it.
 *
 * EXPECT no-match ranks 0,1 culprits 0,1 lines spawn
 * RANKS 2
 * ONLY openmpi
 * WITHOUT cores
 * CHECK openmpi
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    MPI_Comm children;
    char *arguments[] = {"300", NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_spawn("sleep", arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, /* LINE(spawn) */
                   MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&children);
    MPI_Finalize();
    return 0;
}
