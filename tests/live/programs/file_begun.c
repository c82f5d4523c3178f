/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: a begun split collective and a nonblocking write on one file; rank 0 computes for ever, rank 1 receives.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int values[4] = {0};
    int value;
    char path[4096];
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    MPI_File file;
    MPI_Request request;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    snprintf(path, sizeof path, "%s/data", directory != NULL ? directory : ".");
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File_open(comm, path, mode, MPI_INFO_NULL, &file);                 /* LINE(open) */
    MPI_File_iwrite_at(file, rank * 16, values, 4, MPI_INT, &request);     /* LINE(iwrite) */
    MPI_File_write_at_all_begin(file, 32 + rank * 16, values, 4, MPI_INT); /* LINE(begin) */
    expect_request(REQUEST(.request_class = "file", .function = "MPI_File_iwrite_at", .line = "iwrite",
                           .status = "pending|complete", .datatype = "MPI_INT", .count = 4, .buffer = values,
                           .communicator = &comm, .object = &file, .object_bytes = sizeof file, .request = &request));
    expect_object(OBJECT("file", file, .function = "MPI_File_open", .line = "open", .name = path,
                         .detail = "\"split_collective\": \"MPI_File_write_at_all_begin\""));
    if (rank == 1) {
        expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = 0,
                                      .world = 0, .tag = 3, .count = 1, .buffer = &value));
        expect_call("MPI_Recv", "recv");
        expect_ready();
        MPI_Recv(&value, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    expect_call(NULL, NULL);
    expect_ready();
    expect_pause();
}
