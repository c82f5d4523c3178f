// SPDX-License-Identifier: BSD-3-Clause
using MPI_Comm = int;

extern "C" void stop();

static void keep(void *pointer)
{
    asm volatile("" : : "r"(pointer) : "memory");
}

namespace app {
namespace {
template <typename T> struct Exchanger {
    T count;
    __attribute__((noinline)) void exchange(int number)
    {
        MPI_Comm row = number;
        keep(&row);
        auto receive = [&](int tag) __attribute__((noinline)) {
            MPI_Comm column = tag;
            keep(&column);
            stop(); // in receive
            keep(&column);
        };
        receive(number + 10); // in exchange
        keep(&row);
    }
};
}
}

int main(int count, char **)
{
    app::Exchanger<int> exchanger = {count};
    exchanger.exchange(0x2000 * count); // in main
    keep(&exchanger);
}
