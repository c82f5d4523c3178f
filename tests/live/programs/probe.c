/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 in MPI_Probe for a message that never comes, rank 1 in MPI_Probe with wildcards.
 */
#include "expect.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    (void)world;
    expect_call("MPI_Probe", rank == 0 ? "exact" : "wild");
    expect_ready();
    if (rank == 0) {
        MPI_Probe(1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(exact) */
    } else {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(wild) */
    }
    MPI_Finalize();
    return 0;
}
