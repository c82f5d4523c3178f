/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the processes of a job and the members of its communicators, windows and files.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_JOB_INDEX_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_JOB_INDEX_H

#include "model/model.h"

/* A process as a member of a communicator, or of a window or file. */
struct job_member {
    const struct process *process;
    const struct communicator *communicator; /* of a window or file: that it was made from; NULL: not known */
    const struct object *object;             /* window or file; NULL: member of the communicator */
};

struct job_members {
    const struct job_member *items; /* by world rank */
    size_t count;
};

struct job_index {
    const struct job *job;
    struct job_member *members; /* by id of the communicator, then by world rank */
    size_t member_count;
    struct job_member *object_members; /* by kind and id of the window or file, then by world rank */
    size_t object_member_count;
};

#define NO_PROCESS UINT32_MAX

/* `job`: its processes are sorted by rank (job_sort_processes). */
struct job_index job_index_create(const struct job *job);
void job_index_clear(struct job_index *index);

/* The number of the process of this world rank in the job; NO_PROCESS: there is none. */
uint32_t job_index_find_rank(const struct job_index *index, int rank);
const struct process *job_index_process(const struct job_index *index, int rank); /* NULL: there is none */
/* The processes read that are members of the communicator, of both groups of an intercommunicator. */
struct job_members job_index_members(const struct job_index *index, uint64_t communicator_id);

/* The processes read that have the same window or file; none where its id is not known. */
struct job_members job_index_object_members(const struct job_index *index, const struct object *object);
/* The id of a window or file; 0: not known, or something else. */
uint64_t shared_object_id(const struct object *object);

/* The member with this world rank; NULL: there is none. */
const struct job_member *job_members_find(const struct job_members *members, int rank);

#endif
