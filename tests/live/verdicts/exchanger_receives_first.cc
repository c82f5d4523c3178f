/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring in which the lambda of a template receives before anything is sent; the exchange itself is called through a
 * function object.
 *
 * EXPECT deadlock ranks 0-3 culprits 0-3 lines receive
 * RANKS 4
 * CHECK mpich
 */
#include <functional>
#include <mpi.h>
#include <vector>

namespace app {
namespace {

template <typename T> class Exchanger {
    MPI_Comm communicator;
    int rank = 0, size = 0;

  public:
    explicit Exchanger(MPI_Comm all) : communicator(all)
    {
        MPI_Comm_rank(all, &rank);
        MPI_Comm_size(all, &size);
    }

    void exchange(std::vector<T> &field, int tag)
    {
        auto receive = [&](int source) {
            MPI_Recv(field.data(), static_cast<int>(field.size()), MPI_DOUBLE, source, tag, /* LINE(receive) */
                     communicator, MPI_STATUS_IGNORE);
        };
        receive((rank + 1) % size);
        MPI_Send(field.data(), static_cast<int>(field.size()), MPI_DOUBLE, (rank + size - 1) % size, tag, communicator);
    }
};

}
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        app::Exchanger<double> exchanger(MPI_COMM_WORLD);
        std::vector<double> field(10);
        const std::function<void(int)> step = [&](int tag) { exchanger.exchange(field, tag); };
        step(3);
    }
    MPI_Finalize();
    return 0;
}
