/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a snapshot of a job that nobody has run, as it is in the last of two samples:
 *
 *     synthetic_snapshot PATTERN RANKS OPERATIONS FILE
 *
 * PATTERN: number of an enum synthetic_pattern; OPERATIONS: of each rank.
 */
#include "collect/collect.h"
#include "opened_dll.h"
#include "snapshot/snapshot.h"
#include "synthetic_job.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argument_count, char **arguments)
{
    if (argument_count != 5)
        return EXIT_FAILURE;
    const struct synthetic_plan plan = {.pattern = (enum synthetic_pattern)strtol(arguments[1], NULL, 10),
                                        .ranks = (int)strtol(arguments[2], NULL, 10),
                                        .operations = (int)strtol(arguments[3], NULL, 10)};
    if (plan.pattern >= SYNTHETIC_PATTERN_COUNT || plan.ranks < 2)
        return EXIT_FAILURE;
    struct job job = synthetic_job(&plan);
    complete_job(opened_dll(), &job, COLLECT_ALL);
    job.samples = 2;
    job.interval_s = 0.5;
    struct reason reason;
    const int result = snapshot_write(arguments[4], 0600, &job, &reason);
    if (result != 0)
        fprintf(stderr, "%s\n", reason.text);
    job_clear(&job);
    return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
