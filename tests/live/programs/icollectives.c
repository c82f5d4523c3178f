/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 waits for nonblocking collectives of several classes that rank 1 has not begun; one before them was
 * completed.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

enum { calls = 6 };

static int in[2], out[2], counts[2] = {1, 1}, displacements[2] = {0, 1};

int main(int argc, char **argv)
{
    MPI_Request first;
    MPI_Request requests[calls];
    MPI_Datatype pair;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Ibcast(in, 2, MPI_INT, 0, comm, &first);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    if (rank == 1) {
        expect_collective(world, "broadcast", 1, 0);
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    MPI_Ibcast(in, 1, pair, 1, comm, &requests[0]);                                           /* LINE(bcast) */
    MPI_Iallreduce(in, out, 2, MPI_INT, MPI_MAX, comm, &requests[1]);                         /* LINE(allreduce) */
    MPI_Ireduce(in, out, 2, MPI_INT, MPI_SUM, 0, comm, &requests[2]);                         /* LINE(reduce) */
    MPI_Iallgather(in, 1, MPI_INT, out, 1, MPI_INT, comm, &requests[3]);                      /* LINE(allgather) */
    MPI_Igatherv(in, 1, MPI_INT, out, counts, displacements, MPI_INT, 0, comm, &requests[4]); /* LINE(gatherv) */
    MPI_Ialltoall(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, comm, &requests[5]);             /* LINE(alltoall) */
    static const struct {
        const char *function, *line, *collective, *datatype;
        int count, root, has_root;
        const void *buffer;
    } begun[calls] = {
        {"MPI_Ibcast", "bcast", "broadcast", "*", 1, 1, 1, in},
        {"MPI_Iallreduce", "allreduce", "allreduce", "MPI_INT", 2, 0, 0, in},
        {"MPI_Ireduce", "reduce", "reduce", "MPI_INT", 2, 0, 1, in},
        {"MPI_Iallgather", "allgather", "allgather", "MPI_INT", 1, 0, 0, out},
        {"MPI_Igatherv", "gatherv", "gatherv", "MPI_INT", 1, 0, 1, in},
        {"MPI_Ialltoall", "alltoall", "alltoall", "MPI_INT", 1, 0, 0, out},
    };
    for (int i = 0; i < calls; i++) {
        expect_collective(world, begun[i].collective, i == 0 ? 2 : 1, 1);
        expect_request(REQUEST(.request_class = "collective", .function = begun[i].function, .line = begun[i].line,
                               .collective = i + 2, .datatype = begun[i].datatype, .count = begun[i].count,
                               .root = begun[i].root, .has_root = begun[i].has_root, .buffer = begun[i].buffer,
                               .communicator = &comm, .request = &requests[i], .awaited = 1));
    }
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
