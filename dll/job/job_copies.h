/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of all processes of one job that the debugger has set up.
 */
#ifndef MPILENS_DLL_JOB_JOB_COPIES_H
#define MPILENS_DLL_JOB_JOB_COPIES_H

#include "process/process_info.h"

struct job_copies {
    mqs_process_info **items; /* by rank in MPI_COMM_WORLD, each rank once; theirs is the reading */
    size_t count;
    size_t asker;      /* place of the process that is asked about */
    uint64_t left_out; /* processes that cannot be read now */
};

/* `asker` has a copy. A job is what has the same MPI_COMM_WORLD; where processes do not know what that is, and two have
 * the same rank, they cannot be kept apart, and the asker stands alone. mqs_ok or MPILENS_ERROR_NO_MEMORY;
 * job_copies_free() frees the list, the copies stay where they are. */
int job_copies_take(mqs_process_info *asker, struct job_copies *ret_copies);
void job_copies_free(struct job_copies *copies);

#endif
