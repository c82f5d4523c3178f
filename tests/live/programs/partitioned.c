/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: of four partitions two are ready; both sides wait. A second pair of requests was never started.
 *
 * RANKS 2
 * NEEDS MPI_Psend_init
 * CHECK mpich openmpi
 */
#include "expect.h"

enum { partitions = 4, part = 8 };

int main(int argc, char **argv)
{
    int values[partitions * part] = {0};
    int others[partitions * part];
    MPI_Request request;
    MPI_Request idle;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    if (rank == 0) {
        MPI_Psend_init(values, partitions, part, MPI_INT, other, 1, comm, info, &request); /* LINE(psend) */
        MPI_Psend_init(others, partitions, part, MPI_INT, other, 2, comm, info, &idle);    /* LINE(idle_send) */
        MPI_Start(&request);                                                               /* LINE(start_send) */
        MPI_Pready(0, request);
        MPI_Pready_list(1, (int[]){2}, request);
        expect_send(world, MESSAGE(.function = "MPI_Psend_init", .line = "start_send", .peer = 1, .world = 1, .tag = 1,
                                   .count = partitions * part, .buffer = values, .request = &request, .persistent = 1,
                                   .partitions = partitions, .marked = 2, .awaited = 1));
        expect_request(REQUEST(.request_class = "send", .function = "MPI_Psend_init", .line = "idle_send",
                               .status = "inactive", .persistent = 1, .datatype = "MPI_INT", .count = partitions * part,
                               .buffer = others, .communicator = &comm, .request = &idle, .has_peer = 1, .peer = other,
                               .tag = 2, .partitions = partitions));
    } else {
        MPI_Precv_init(values, partitions, part, MPI_INT, other, 1, comm, info, &request); /* LINE(precv) */
        MPI_Precv_init(others, partitions, part, MPI_INT, other, 2, comm, info, &idle);    /* LINE(idle_receive) */
        MPI_Start(&request);                                                               /* LINE(start_receive) */
        expect_receive(world, MESSAGE(.function = "MPI_Precv_init", .line = "start_receive", .peer = 0, .world = 0,
                                      .tag = 1, .count = partitions * part, .buffer = values, .request = &request,
                                      .persistent = 1, .partitions = partitions, .marked = 0, .awaited = 1));
        expect_request(REQUEST(.request_class = "receive", .function = "MPI_Precv_init", .line = "idle_receive",
                               .status = "inactive", .persistent = 1, .datatype = "MPI_INT", .count = partitions * part,
                               .buffer = others, .communicator = &comm, .request = &idle, .has_peer = 1, .peer = other,
                               .tag = 2, .partitions = partitions));
    }
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
