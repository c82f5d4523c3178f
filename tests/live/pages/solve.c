/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static double global_sum(double mine, MPI_Comm comm)
{
    double sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    return sum;
}

NOINLINE static double residual(double field)
{
    return global_sum(field * field, MPI_COMM_WORLD) / 2;
}

NOINLINE static int solve(double field)
{
    return residual(field) > 1;
}

NOINLINE static int statistics(double field, MPI_Comm everybody)
{
    return global_sum(field, everybody) > 1;
}

int main(int argc, char **argv)
{
    int rank, status;
    MPI_Comm everybody;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &everybody);
    MPI_Comm_set_name(everybody, "everybody");
    if (rank == 3)
        status = statistics(0, everybody);
    else
        status = solve(0);
    MPI_Finalize();
    return status;
}
