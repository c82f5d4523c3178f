/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message is longer than the receive of rank 0, which throws an exception because of the error code; a destructor
 * calls MPI_Finalize on the way out. Rank 1 waits for its answer.
 *
 * EXPECT waiting-for-rank ranks 0,1 culprits 0 lines answer
 * SAYS while the exception std::runtime_error: the receive has failed unwinds its stack
 * SAYS before that, rank 0's MPI_Recv at
 * SAYS had failed with MPI_ERR_TRUNCATE
 * RANKS 2
 * WITHOUT boxes
 * CHECK openmpi
 */
#include <mpi.h>
#include <stdexcept>

namespace {
struct library {
    library(int *argc, char ***argv)
    {
        MPI_Init(argc, argv);
    }
    ~library()
    {
        MPI_Finalize();
    }
};

void solve(int rank)
{
    int values[6] = {rank};
    if (rank != 0) {
        MPI_Send(values, 6, MPI_INT, 0, 7, MPI_COMM_WORLD);
        MPI_Recv(values, 6, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(answer) */
    } else if (MPI_Recv(values, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
        MPI_Send(values, 6, MPI_INT, 1, 8, MPI_COMM_WORLD);
    } else {
        throw std::runtime_error("the receive has failed");
    }
}
} // namespace

int main(int argc, char **argv)
{
    int rank;
    try {
        const library mpi(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        solve(rank);
    } catch (const std::exception &) {
        return 1;
    }
    return 0;
}
