/* SPDX-License-Identifier: BSD-3-Clause
 *
 * As spawned_children_wait, but the children run without the runtime: only their stacks tell where they are.
 *
 * EXPECT waiting-for-rank ranks 0 culprits none lines disconnect,work
 * SAYS ranks-apart
 * RANKS 1
 * OPTIONS --patience 2
 * ONLY openmpi
 * WITHOUT cores boxes snapshots
 * CHECK openmpi
 */
#include "spawning.h"

#include <mpi.h>

enum { tag_work = 1 };

int main(int argc, char **argv)
{
    int work = 0;
    MPI_Comm other;
    init_reachable(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
        MPI_Send(&work, 1, MPI_INT, 0, tag_work, other);
        MPI_Comm_disconnect(&other); /* LINE(disconnect) */
    } else {
        MPI_Recv(&work, 1, MPI_INT, 0, tag_work, other, MPI_STATUS_IGNORE); /* LINE(work) */
        MPI_Comm_disconnect(&other);
    }
    MPI_Finalize();
    return 0;
}
