/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A directory of black boxes as a target.
 */
#ifndef MPILENS_INSPECT_JOB_BOX_DIRECTORY_H
#define MPILENS_INSPECT_JOB_BOX_DIRECTORY_H

#include "base/reason.h"

#include <stdbool.h>
#include <stddef.h>

/* What to read instead of a directory. */
struct box_targets {
    char **targets; /* paths of black boxes, and pids of processes that are still alive */
    size_t count;
};

bool box_directory_is(const char *target);

/* The processes of the job that was started last of those whose black boxes are in the directory. One pid stands for
 * all where all are alive. 0 and targets to be cleared, or -1 and a reason. */
int box_directory_read(const char *path, struct box_targets *ret_targets, struct reason *ret_reason);

void box_targets_clear(struct box_targets *targets);

#endif
