/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 has started an access epoch to rank 1, which never posts; rank 1 has posted to rank 2, which never
 * starts. An implementation may let MPI_Win_start return and wait in MPI_Win_complete.
 *
 * RANKS 3
 * CHECK mpich openmpi
 * UNPREPARED openmpi
 */
#include "expect.h"

int main(int argc, char **argv)
{
    int memory[2] = {0};
    MPI_Win window;
    MPI_Group all;
    MPI_Group one;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    expect_world();
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* LINE(create) */
    MPI_Comm_group(MPI_COMM_WORLD, &all);                                             /* LINE(group) */
    expect_object(OBJECT("group", all, .function = "MPI_Comm_group", .line = "group"));
    expect_object(OBJECT("window", window, .function = "MPI_Win_create", .line = "create",
                         .detail = rank == 1 ? "\"exposure_epoch\": \"post\"" : NULL));
    if (rank == 0) {
        MPI_Group_incl(all, 1, (int[]){1}, &one); /* LINE(one) */
        expect_object(OBJECT("group", one, .function = "MPI_Group_incl", .line = "one"));
        expect_call_on("MPI_Win_start|MPI_Win_complete", "start|complete", CALL_ON("window", window));
        expect_ready();
        MPI_Win_start(one, 0, window); /* LINE(start) */
        MPI_Put(memory, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window); /* LINE(complete) */
    } else if (rank == 1) {
        MPI_Group_incl(all, 1, (int[]){2}, &one); /* LINE(two) */
        expect_object(OBJECT("group", one, .function = "MPI_Group_incl", .line = "two"));
        MPI_Win_post(one, 0, window);
        expect_call_on("MPI_Win_wait", "wait", CALL_ON("window", window));
        expect_ready();
        MPI_Win_wait(window); /* LINE(wait) */
    } else {
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    MPI_Finalize();
    return 0;
}
