/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes of a job as members of their communicators, in plain records for matching.
 */
#ifndef MPILENS_DLL_JOB_JOB_MEMBERS_H
#define MPILENS_DLL_JOB_JOB_MEMBERS_H

#include "job/job_copies.h"

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
    /* What the members point into. */
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
