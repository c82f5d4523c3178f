/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All sums of an object go through one function; rank 2 comes to it from the statistics, once, while the others make
 * the steps of a solver.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 2 lines sum,barrier
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

namespace {

class Communicator {
    MPI_Comm handle;

  public:
    explicit Communicator(MPI_Comm all) : handle(all)
    {
    }
    double sum(double mine) const
    {
        double all = 0;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, handle); /* LINE(sum) */
        return all;
    }
    void meet() const
    {
        MPI_Barrier(handle); /* LINE(barrier) */
    }
};

double solve(const Communicator &communicator, int steps)
{
    double residual = 0;
    for (int step = 0; step < steps; step++)
        residual += communicator.sum(step);
    return residual;
}

double collect_statistics(const Communicator &communicator)
{
    return communicator.sum(1) / 2;
}

}

int main(int argc, char **argv)
{
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const Communicator world(MPI_COMM_WORLD);
    const double result = rank == 2 ? collect_statistics(world) : solve(world, 3);
    world.meet();
    MPI_Finalize();
    return result < 0;
}
