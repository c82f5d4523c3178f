/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parent waits for the result of its child, which computes and does not come back to MPI.
 *
 * EXPECT waiting-for-rank ranks 0 culprits none lines result
 * SAYS another MPI_COMM_WORLD, where rank 0 is not in MPI: computing in
 * RANKS 1
 * OPTIONS --patience 2
 * ONLY openmpi
 * WITHOUT cores boxes snapshots
 * CHECK openmpi
 */
#include "program.h"
#include "spawning.h"

#include <mpi.h>

enum { tag_result = 1, step_milliseconds = 100 };

int main(int argc, char **argv)
{
    int result = 0;
    MPI_Comm other;
    init_reachable(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        other = spawn_with_runtime(argv[0], 1);
        MPI_Recv(&result, 1, MPI_INT, 0, tag_result, other, MPI_STATUS_IGNORE); /* LINE(result) */
    } else {
        while (!told_to_end()) {
            compute(step_milliseconds);
        }
        MPI_Send(&result, 1, MPI_INT, 0, tag_result, other);
    }
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
