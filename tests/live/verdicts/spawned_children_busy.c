/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parent waits for the result of its children, which work on it together and take their time.
 *
 * EXPECT none
 * RANKS 1
 * OPTIONS --patience 2
 * ONLY openmpi
 * WITHOUT cores boxes snapshots
 * CHECK openmpi
 */
#include "program.h"
#include "spawning.h"

#include <mpi.h>

enum { tag_result = 1, step_milliseconds = 20 };

int main(int argc, char **argv)
{
    int result = 0;
    int rank;
    MPI_Comm other;
    init_reachable(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        other = spawn_with_runtime(argv[0], 2);
        MPI_Recv(&result, 1, MPI_INT, 0, tag_result, other, MPI_STATUS_IGNORE);
    } else {
        int is_over = 0;
        while (!is_over) {
            int told = told_to_end();
            compute(step_milliseconds);
            MPI_Allreduce(&told, &is_over, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        }
        if (rank == 0) {
            MPI_Send(&result, 1, MPI_INT, 0, tag_result, other);
        }
    }
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
