/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 does not come to MPI_Init: `late constructor` computes before main, `late sleep` sleeps in it, `late exit`
 * ends in it; `late` comes.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { life_seconds = 600 };

static int is_late(const char *how, const char *wanted)
{
    const char *rank = getenv("PMI_RANK") != NULL ? getenv("PMI_RANK") : getenv("OMPI_COMM_WORLD_RANK");
    return rank != NULL && strcmp(rank, "1") == 0 && how != NULL && strcmp(how, wanted) == 0;
}

__attribute__((constructor)) static void compute_before_main(int argc, char **argv)
{
    alarm(life_seconds);
    while (is_late(argc > 1 ? argv[1] : NULL, "constructor")) { /* LINE(constructor) */
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : NULL;
    if (is_late(how, "sleep"))
        sleep(life_seconds); /* LINE(sleep) */
    if (is_late(how, "exit"))
        _exit(0);
    MPI_Init(&argc, &argv); /* LINE(init) */
    MPI_Finalize();
    return 0;
}
