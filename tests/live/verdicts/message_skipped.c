/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A step has three phases with a tag each, all sent by one function. In the third step rank 2 leaves out the first
 * phase's message to rank 1, and goes on: its later messages are there, as good as in all steps before.
 *
 * EXPECT no-match ranks 1,2 culprits 2 lines receive,send
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

enum { phases = 3, steps = 5, first_tag = 1024, doubles = 48 };

static double values[doubles];

static void send_all(int rank, int size, int step, int phase)
{
    for (int other = 0; other < size; other++) {
        if (other != rank && !(rank == 2 && other == 1 && step == 2 && phase == 0)) {
            MPI_Send(values, doubles, MPI_DOUBLE, other, first_tag * (phase + 1), MPI_COMM_WORLD); /* LINE(send) */
        }
    }
}

static void receive_all(int rank, int size, int phase)
{
    for (int other = 0; other < size; other++) {
        if (other != rank) {
            MPI_Recv(values, doubles, MPI_DOUBLE, other, first_tag * (phase + 1), MPI_COMM_WORLD, /* LINE(receive) */
                     MPI_STATUS_IGNORE);
        }
    }
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        for (int phase = 0; phase < phases; phase++) {
            send_all(rank, size, step, phase);
            receive_all(rank, size, phase);
        }
    }
    MPI_Finalize();
    return 0;
}
