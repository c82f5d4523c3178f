/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of job/ only.
 */
#ifndef MPILENS_DLL_JOB_JOB_INTERNAL_H
#define MPILENS_DLL_JOB_JOB_INTERNAL_H

#include "job/job.h"
#include "process/process.h"

/* -- job_copies.c --
 * Copies of all processes of one job that the debugger has set up.
 */

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

/* -- job_clock.c --
 * One time for the processes of a job, as near as their clocks allow: which of two messages was sent first.
 */

struct job_clock {
    const struct mpilens_process *origin; /* ages are before its first MPI call */
    double ticks_per_ns;
};

struct job_clock job_clock_of(const struct job_copies *copies);

/* Seconds before the origin; negative after it. */
double job_clock_age(const struct job_clock *clock, const struct mpilens_process *process, uint64_t ticks);

/* -- job_members.c --
 * The processes of a job as members of their communicators, in plain records for matching.
 */

/* Where a member comes from. */
struct member_origin {
    size_t copy;         /* place among the copies */
    size_t communicator; /* place in the list of its snapshot */
};

struct job_members {
    struct mpilens_matching_member *items; /* copy by copy, in each as its snapshot lists communicators */
    struct member_origin *origins;         /* of each */
    size_t count;
    size_t *first; /* of each copy, and the end */
    /* storage of the members. */
    struct mpilens_matched_operation *operations;
    const struct mpilens_operation **records; /* of each operation */
    size_t operation_count;
    struct mpilens_probed_message *probed;
    struct mpilens_taken_message *taken;
    const struct mpilens_unexpected **taken_records; /* of each taken message */
    struct mpilens_message_count *channels;
};

/* mqs_ok or MPILENS_ERROR_NO_MEMORY; job_members_free() frees it, also then. */
int job_members_make(const struct job_copies *copies, struct job_members *ret_members);
void job_members_free(struct job_members *members);

#endif
