/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 holds an exclusive lock of rank 2's window and receives; rank 1 wants the same lock. An implementation
 * may let MPI_Win_lock return and wait in MPI_Win_unlock.
 *
 * RANKS 3
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int *memory;
    int value = 1;
    MPI_Win window;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, comm, &memory, &window); /* LINE(allocate) */
    if (rank == 2) {
        expect_object(OBJECT("window", window, .function = "MPI_Win_allocate", .line = "allocate",
                             .detail = "\"flavor\": \"allocate\", \"locks\": []"));
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 0,
                                      .world = 0, .tag = 3, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window); /* LINE(hold) */
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
        MPI_Win_flush(2, window);
        MPI_Send(&value, 1, MPI_INT, 1, 1, comm);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
    }
    expect_object(OBJECT("window", window, .function = "MPI_Win_allocate", .line = "allocate",
                         .detail = rank == 0 ? "\"access_epoch\": \"lock\"" : NULL));
    if (rank == 0) {
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "never", .blocking = 1, .awaited = 1, .peer = 1,
                                      .world = 1, .tag = 2, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "never");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, 1, 2, comm, MPI_STATUS_IGNORE); /* LINE(never) */
    }
    expect_call_on("MPI_Win_lock|MPI_Win_unlock", "lock|unlock", CALL_ON("window", window));
    expect_ready();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window); /* LINE(lock) */
    MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
    MPI_Win_unlock(2, window); /* LINE(unlock) */
    MPI_Finalize();
    return 0;
}
