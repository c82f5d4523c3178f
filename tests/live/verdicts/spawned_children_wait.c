/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parent gives work to one of two children and disconnects; the other child waits for work that nobody sends.
 *
 * EXPECT deadlock ranks 0 culprits 0 lines disconnect,work
 * SAYS neither world can go on before the other
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
    int rank;
    int work = 0;
    MPI_Comm other;
    init_reachable(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        other = spawn_with_runtime(argv[0], 2);
        MPI_Send(&work, 1, MPI_INT, 0, tag_work, other);
        MPI_Comm_disconnect(&other); /* LINE(disconnect) */
    } else {
        MPI_Recv(&work, 1, MPI_INT, 0, tag_work, other, MPI_STATUS_IGNORE); /* LINE(work) */
        MPI_Comm_disconnect(&other);
    }
    MPI_Finalize();
    return 0;
}
