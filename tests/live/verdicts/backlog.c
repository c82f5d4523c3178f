/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 sends three messages for each that rank 1 takes, until more than ten thousand lie there unreceived; from then
 * on one. Rank 1 takes the rest at the end.
 *
 * EXPECT none
 * WITHOUT synchronous
 * RANKS 2
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

enum { steps = 5500, tag_data = 1, tag_take = 2 };

int main(int argc, char **argv)
{
    int rank;
    int last = 0;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int step = 0; !last; step++) {
            last = step >= steps && told_to_end();
            for (int number = step < steps ? 0 : 2; number < 3; number++) {
                MPI_Send(&step, 1, MPI_INT, 1, tag_data, MPI_COMM_WORLD);
            }
            MPI_Send(&last, 1, MPI_INT, 1, tag_take, MPI_COMM_WORLD);
            compute(step < steps ? 0 : 1);
        }
    } else {
        while (!last) {
            MPI_Recv(&last, 1, MPI_INT, 0, tag_take, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, 0, tag_data, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int number = 0; number < 2 * steps; number++) {
            MPI_Recv(&value, 1, MPI_INT, 0, tag_data, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
