/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: pending receives of vector, struct, contiguous-of-vector, indexed and resized datatypes, one freed.
 *
 * RANKS 2
 * CHECK mpich openmpi, all forms
 */
#include "expect.h"

#include <stddef.h>

struct particle {
    double position[3];
    char kind;
    int id;
};

static double values[4096];

int main(int argc, char **argv)
{
    MPI_Datatype types[5];
    MPI_Request requests[6];
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Type_vector(5, 2, 4, MPI_DOUBLE, &types[0]);
    MPI_Type_create_struct(3, (int[]){3, 1, 1},
                           (MPI_Aint[]){0, offsetof(struct particle, kind), offsetof(struct particle, id)},
                           (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR, MPI_INT}, &types[1]);
    MPI_Type_contiguous(3, types[0], &types[2]);
    MPI_Type_indexed(2, (int[]){1, 4}, (int[]){0, 10}, MPI_SHORT, &types[3]);
    MPI_Type_create_resized(types[1], 0, sizeof(struct particle), &types[4]);
    const int sizes[] = {80, 29, 240, 10, 29};
    const char *names[] = {"MPI_Type_vector 0x*", "particle", "MPI_Type_contiguous 0x*", "MPI_Type_indexed 0x*",
                           "MPI_Type_create_resized 0x*"};
    MPI_Type_set_name(types[1], "particle");
    for (int i = 0; i < 5; i++) {
        MPI_Type_commit(&types[i]);
        MPI_Irecv(values, i + 1, types[i], other, i, MPI_COMM_WORLD, &requests[i]); /* LINE(irecv) */
        expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 1, .peer = other,
                                      .world = other, .tag = i, .count = i + 1, .bytes = (i + 1L) * sizes[i],
                                      .datatype = names[i], .buffer = values, .request = &requests[i]));
    }
    MPI_Type_free(&types[0]);
    MPI_Type_contiguous(7, MPI_FLOAT, &types[0]);
    MPI_Type_commit(&types[0]);
    MPI_Irecv(values, 2, types[0], other, 5, MPI_COMM_WORLD, &requests[5]); /* LINE(again) */
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "again", .awaited = 1, .peer = other, .world = other,
                                  .tag = 5, .count = 2, .bytes = 56, .datatype = "MPI_Type_contiguous 0x*",
                                  .buffer = values, .request = &requests[5]));
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
