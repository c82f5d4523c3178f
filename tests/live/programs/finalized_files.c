/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file that was read and written in every way, closed, then MPI_Finalize, then a pause: nothing is left.
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
    char path[4096];
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    MPI_File file;
    MPI_Info info;
    MPI_Group group;
    MPI_Datatype etype, filetype;
    MPI_Offset displacement;
    char representation[MPI_MAX_DATAREP_STRING];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    expect_world();
    snprintf(path, sizeof path, "%s/data", directory != NULL ? directory : ".");
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file);
    MPI_Type_contiguous(2, MPI_INT, &filetype);
    MPI_Type_commit(&filetype);
    MPI_File_set_view(file, 0, MPI_INT, filetype, "native", MPI_INFO_NULL);
    MPI_Type_free(&filetype);
    MPI_File_get_view(file, &displacement, &etype, &filetype, representation);
    MPI_Type_free(&filetype);
    MPI_File_get_info(file, &info);
    MPI_Info_free(&info);
    MPI_File_get_group(file, &group);
    MPI_Group_free(&group);
    MPI_File_write_at(file, rank * 4, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, rank * 4, values, 4, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, rank * 4, values, 4, MPI_INT);
    MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
    MPI_File_read_ordered(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    expect_finalized();
    MPI_Finalize();
    expect_ready();
    expect_pause();
}
