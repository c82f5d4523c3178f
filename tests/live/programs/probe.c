/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 in MPI_Probe for a message that never comes, rank 1 in MPI_Probe with wildcards.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    (void)world;
    if (rank == 0) {
        expect_probe(0, "MPI_Probe", "exact", 1, 1, 3);
    } else {
        expect_probe(0, "MPI_Probe", "wild", MPI_ANY_SOURCE, MPI_ANY_SOURCE, MPI_ANY_TAG);
    }
    expect_ready();
    if (rank == 0) {
        MPI_Probe(1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(exact) */
    } else {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(wild) */
    }
    MPI_Finalize();
    return 0;
}
