/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 closes a fence epoch that rank 1, after its put, leaves open.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int memory[4] = {0};
    MPI_Win window;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    expect_world();
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* LINE(create) */
    MPI_Win_set_name(window, "halo");
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, 1 - rank, rank, 1, MPI_INT, window);
    expect_object(OBJECT("window", window, .function = "MPI_Win_create", .line = "create", .name = "halo",
                         .detail = "\"flavor\": \"create\", \"access_epoch\": \"fence\", \"operations_since\": 1"));
    if (rank == 1) {
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    expect_call_on("MPI_Win_fence", "fence", CALL_ON("window", window));
    expect_ready();
    MPI_Win_fence(0, window); /* LINE(fence) */
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
