/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message goes around a ring again and again; all but the first rank pass on what they receive from anybody. In the
 * eleventh round rank 2 keeps it.
 *
 * EXPECT deadlock ranks 0-3 culprits 2 lines receive
 * SAYS rank 2 has sent nothing after the last message that it received at
 * SAYS unlike after each of the 10 before
 * SAYS have rank 2 send rank 3 the 1 message that it left out
 * RANKS 4
 * WITHOUT lines
 * CHECK mpich
 */
#include <mpi.h>

enum { rounds = 30, round_with_fault = 10, tag = 5 };

int main(int argc, char **argv)
{
    int rank, ranks, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int next = (rank + 1) % ranks;
    for (int round = 0; round < rounds; round++) {
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, next, tag, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
        if (rank != 0 && (rank != 2 || round != round_with_fault))
            MPI_Send(&value, 1, MPI_INT, next, tag, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
