/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: every blocking collective was called, each another number of times; then rank 0 misses a barrier.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int sent[8] = {0};
    int got[8];
    const int counts[] = {1, 2};
    const int places[] = {0, 2};
    const int twos[] = {2, 2};
    const int bytes[] = {0, 8};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    MPI_Comm comm = MPI_COMM_WORLD;
    struct expected_communicator *world = expect_world();
    for (int i = 0; i < 17; i++) {
        MPI_Bcast(sent, 1, MPI_INT, 0, comm);
        i < 2 ? MPI_Allgather(sent, 1, MPI_INT, got, 1, MPI_INT, comm) : 0;
        i < 3 ? MPI_Allgatherv(sent, counts[rank], MPI_INT, got, counts, places, MPI_INT, comm) : 0;
        i < 4 ? MPI_Allreduce(sent, got, 1, MPI_INT, MPI_SUM, comm) : 0;
        i < 5 ? MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm) : 0;
        i < 6 ? MPI_Alltoallv(sent, twos, places, MPI_INT, got, twos, places, MPI_INT, comm) : 0;
        i < 7 ? MPI_Reduce_scatter(sent, got, counts, MPI_INT, MPI_SUM, comm) : 0;
        i < 8 ? MPI_Reduce(sent, got, 1, MPI_INT, MPI_SUM, 1, comm) : 0;
        i < 9 ? MPI_Gather(sent, 1, MPI_INT, got, 1, MPI_INT, 0, comm) : 0;
        i < 10 ? MPI_Gatherv(sent, counts[rank], MPI_INT, got, counts, places, MPI_INT, 0, comm) : 0;
        i < 11 ? MPI_Scan(sent, got, 1, MPI_INT, MPI_MAX, comm) : 0;
        i < 12 ? MPI_Scatter(sent, 1, MPI_INT, got, 1, MPI_INT, 0, comm) : 0;
        i < 13 ? MPI_Scatterv(sent, counts, places, MPI_INT, got, 8, MPI_INT, 0, comm) : 0;
        i < 14 ? MPI_Exscan(sent, got, 1, MPI_INT, MPI_MAX, comm) : 0;
        i < 15 ? MPI_Reduce_scatter_block(sent, got, 1, MPI_INT, MPI_SUM, comm) : 0;
        i < 16 ? MPI_Alltoallw(sent, twos, bytes, types, got, twos, bytes, types, comm) : 0;
    }
    const char *classes[] = {
        "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "reduce_scatter",       "reduce",   "gather",
        "gatherv",   "scan",       "scatter",   "scatterv", "exscan",    "reduce_scatter_block", "alltoallw"};
    for (int i = 0; i < 15; i++) {
        expect_collective(world, classes[i], i + 2, 0);
    }
    expect_collective(world, "broadcast", 17, 0);
    if (rank == 0) {
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 1,
                                      .world = 1, .tag = 1, .count = 1, .buffer = got));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(got, 1, MPI_INT, 1, 1, comm, MPI_STATUS_IGNORE); /* LINE(recv) */
    } else {
        expect_collective(world, "barrier", 1, 1);
        expect_call("MPI_Barrier", "barrier");
        expect_ready();
    }
    MPI_Barrier(comm); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
