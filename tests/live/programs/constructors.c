/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: communicators of every constructor, all alive, and MPI_COMM_NULL for those left out.
 *
 * RANKS 4
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int value;
    MPI_Group all;
    MPI_Group three;
    MPI_Request request;
    MPI_Comm comm[10];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int next = (rank + 1) % 4;
    int previous = (rank + 3) % 4;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 3, (int[]){2, 0, 3}, &three);
    MPI_Comm_create(world, three, &comm[0]);
    MPI_Comm_dup_with_info(world, MPI_INFO_NULL, &comm[1]);
    MPI_Comm_idup(world, &comm[2], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm[3]);
    MPI_Comm_split(world, rank == 1 ? MPI_UNDEFINED : 0, 0, &comm[4]);
    MPI_Graph_create(world, 2, (int[]){1, 2}, (int[]){1, 0}, 0, &comm[5]);
    MPI_Dist_graph_create_adjacent(world, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &comm[6]);
    MPI_Dist_graph_create(world, 1, &rank, (int[]){1}, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm[7]);
    MPI_Comm_dup(MPI_COMM_SELF, &comm[8]);
#if MPI_VERSION >= 4
    MPI_Comm_create_from_group(three, "org.mpilens.live", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm[9]);
#endif
    expect_world();
    if (rank != 1) {
        expect_communicator(comm[0], "create", NULL, "MPI_Comm_create of MPI_COMM_WORLD");
        expect_communicator(comm[4], "split", NULL, "MPI_Comm_split of MPI_COMM_WORLD");
#if MPI_VERSION >= 4
        expect_communicator(comm[9], "from group", NULL, "MPI_Comm_create_from_group*");
#endif
    }
    expect_communicator(comm[1], "dup with info", NULL, "MPI_Comm_dup_with_info of MPI_COMM_WORLD");
    expect_communicator(comm[2], "idup", NULL, "MPI_Comm_idup of MPI_COMM_WORLD");
    expect_communicator(comm[3], "split type", NULL, "MPI_Comm_split_type of MPI_COMM_WORLD");
    if (rank < 2) {
        expect_communicator(comm[5], "graph", NULL, "MPI_Graph_create of MPI_COMM_WORLD");
    }
    expect_communicator(comm[6], "adjacent", NULL, "MPI_Dist_graph_create_adjacent of MPI_COMM_WORLD");
    struct expected_communicator *graph =
        expect_communicator(comm[7], "distributed", NULL, "MPI_Dist_graph_create of MPI_COMM_WORLD");
    const char *self[] = {"self 0", "self 1", "self 2", "self 3"};
    expect_communicator(comm[8], self[rank], NULL, "MPI_Comm_dup of MPI_COMM_SELF");
    expect_receive(graph, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = next,
                                  .world = next, .tag = 0, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, next, 0, comm[7], MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
