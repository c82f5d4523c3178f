/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: rank 0 writes collectively to a file, which rank 1 does not.
 *
 * RANKS 2
 * CHECK mpich openmpi
 * UNPREPARED mpich
 */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int values[4] = {0};
    char path[4096];
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    MPI_File file;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    expect_world();
    snprintf(path, sizeof path, "%s/data", directory != NULL ? directory : ".");
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file); /* LINE(open) */
    MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    expect_object(OBJECT("file", file, .function = "MPI_File_open", .line = "open", .name = path,
                         .detail = "\"split_collective\": null"));
    if (rank == 1) {
        expect_call(NULL, NULL);
        expect_ready();
        expect_pause();
    }
    expect_call_on("MPI_File_write_ordered", "write", CALL_ON("file", file));
    expect_ready();
    for (int i = 0; i < 2; i++) {
        MPI_File_write_ordered(file, values, 4, MPI_INT, MPI_STATUS_IGNORE); /* LINE(write) */
    }
    MPI_Finalize();
    return 0;
}
