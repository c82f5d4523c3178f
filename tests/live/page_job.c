/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a snapshot of a job that nobody has run: page_job ring|tags|barrier RANKS NAME FILE. NAME is what the
 * application has called MPI_COMM_WORLD.
 */
#include "base/base.h"
#include "snapshot/snapshot.h"
#include "wait_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    const int ranks = (int)strtol(argv[2], NULL, 10);
    struct job job = strcmp(argv[1], "ring") == 0   ? ring_of_receives(ranks)
                     : strcmp(argv[1], "tags") == 0 ? ring_of_tags(ranks)
                                                    : barrier_against_receive(ranks, argv[3]);
    struct reason reason;
    const int result = snapshot_write(argv[4], 0600, &job, &reason);
    if (result != 0)
        fprintf(stderr, "%s\n", reason.text);
    job_clear(&job);
    return result == 0 ? 0 : 1;
}
