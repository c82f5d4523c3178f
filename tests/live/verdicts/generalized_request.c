/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 wraps its own work in a generalized request; the branch that has nothing to do never completes it.
 *
 * EXPECT no-match ranks 0 culprits 0 lines begin,wait
 * RANKS 2
 * CHECK mpich openmpi, all forms
 */
#include <mpi.h>
#include <stddef.h>

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank;
    int pieces = argc > 1;
    MPI_Request work;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Grequest_start(query, release, cancel, NULL, &work); /* LINE(begin) */
        if (pieces > 0) {
            MPI_Grequest_complete(work);
        }
        MPI_Wait(&work, MPI_STATUS_IGNORE); /* LINE(wait) */
        MPI_Send(&pieces, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&pieces, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
