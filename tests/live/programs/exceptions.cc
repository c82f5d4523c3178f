/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An error handler throws, through the MPI library and whatever stands between it and its caller; MPI goes on. Fails
 * where an exception does not arrive.
 */
#include <mpi.h>

struct mpi_error {
    int code;
};

static void throw_it(MPI_Comm *, int *code, ...)
{
    throw mpi_error{*code};
}

template <typename Call> static int throws(Call call)
{
    try {
        call();
    } catch (const mpi_error &error) {
        return error.code != MPI_SUCCESS;
    }
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Request request = MPI_REQUEST_NULL;
    int value = 0;
    int caught = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(throw_it, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (int round = 0; round < 3; round++) {
        caught += throws([&] { MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD); });
        caught += throws([&] { MPI_Irecv(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &request); });
        caught += throws([&] { PMPI_Bcast(&value, 1, MPI_INT, 99, MPI_COMM_WORLD); });
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return caught == 9 ? 0 : 1;
}
