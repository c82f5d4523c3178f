/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 4 wants its group behind the other one, as that does; the rest of its group does not. With Open MPI it gets
 * another communicator than they. MPICH refuses the call.
 *
 * EXPECT collective-mismatch ranks 3-5 culprits 4 lines merge
 * SAYS rank 4 (1 of 3 ranks) calls MPI_Intercomm_merge with high 1
 * SAYS where the others of that group call it with high 0
 * SAYS give the same arguments on all ranks of a group
 * RANKS 6
 * CHECK openmpi
 * ONLY openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm side, between, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 3, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank < 3 ? 3 : 0, 5, &between);
    MPI_Intercomm_merge(between, rank < 3 || rank == 4, &all); /* LINE(merge) */
    MPI_Barrier(all);
    MPI_Finalize();
    return 0;
}
