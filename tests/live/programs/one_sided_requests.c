/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: request-based one-sided operations, not waited for (MPI may have completed them at once), in a receive.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int *memory;
    int values[3] = {0};
    int result;
    MPI_Request requests[3];
    MPI_Win window;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Aint bytes = 4 * sizeof *memory;
    MPI_Win_allocate(bytes, sizeof *memory, MPI_INFO_NULL, comm, &memory, &window); /* LINE(allocate) */
    MPI_Win_lock_all(0, window);
    MPI_Rput(values, 2, MPI_INT, other, 0, 2, MPI_INT, window, &requests[0]);                 /* LINE(put) */
    MPI_Rget(values, 1, MPI_INT, other, 2, 1, MPI_INT, window, &requests[1]);                 /* LINE(get) */
    MPI_Raccumulate(values, 1, MPI_INT, other, 3, 1, MPI_INT, MPI_SUM, window, &requests[2]); /* LINE(accumulate) */
    const char *functions[] = {"MPI_Rput", "MPI_Rget", "MPI_Raccumulate"};
    const char *lines[] = {"put", "get", "accumulate"};
    for (int i = 0; i < 3; i++) {
        expect_request(REQUEST(.request_class = "one-sided", .function = functions[i], .line = lines[i],
                               .status = "pending|complete", .datatype = "MPI_INT", .count = i == 0 ? 2 : 1,
                               .buffer = values, .communicator = &comm, .object = &window,
                               .object_bytes = sizeof window, .target = other, .has_target = 1,
                               .request = &requests[i]));
    }
    expect_object(OBJECT("window", window, .function = "MPI_Win_allocate", .line = "allocate",
                         .detail = "\"flavor\": \"allocate\", \"access_epoch\": \"lock_all\", \"operations\": 3"));
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 1, .count = 1, .buffer = &result));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&result, 1, MPI_INT, other, 1, comm, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
