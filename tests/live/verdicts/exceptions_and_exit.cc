/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each rank waits for the next one where it was not to wait: rank 1 in a destructor, while an exception leaves its
 * function; rank 2 in what it does about an exception that nothing catches; rank 3 in what it does at exit(), called
 * from deep inside.
 *
 * EXPECT deadlock ranks 0-3 culprits 0-3 lines wait
 * SAYS while the exception std::out_of_range: no cell 7 unwinds its stack
 * SAYS in std::terminate because of the exception solver::no_step: step 3
 * SAYS in exit(), which check_input (exceptions_and_exit.cc:
 * RANKS 4
 * WITHOUT boxes
 * CHECK openmpi
 */
#include <cstdlib>
#include <exception>
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

static int rank;

__attribute__((noinline)) static void wait_for_next()
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % 4, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(wait) */
}

namespace solver {
struct no_step : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct field {
    ~field()
    {
        wait_for_next();
    }
};
} // namespace solver

static void look_up(int cell)
{
    solver::field field;
    if (cell > 3)
        throw std::out_of_range("no cell " + std::to_string(cell));
}

static void check_input(int value)
{
    if (value > 3)
        std::exit(2);
}

static void step()
{
    throw solver::no_step("step 3");
}

static void fail() noexcept
{
    step();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    alarm(1200);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::set_terminate([] {
        wait_for_next();
        std::abort();
    });
    if (rank == 0)
        wait_for_next();
    if (rank == 2)
        fail();
    if (rank == 3) {
        std::atexit(wait_for_next);
        check_input(argc + 3);
    }
    try {
        look_up(argc + 6);
    } catch (const std::exception &) {
    }
    MPI_Finalize();
}
