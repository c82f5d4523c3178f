/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes of a job that are members of one communicator, and which of them an operation names.
 */
#ifndef MPILENS_INSPECT_MATCHING_MEMBERS_H
#define MPILENS_INSPECT_MATCHING_MEMBERS_H

#include "model/model.h"

/* A process as a member of a communicator. */
struct member {
    uint64_t id; /* of the communicator */
    const struct process *process;
    struct communicator *communicator;
};

/* Members of one communicator by world rank; below, members are named by their place here. */
struct members {
    const struct member *items;
    size_t count;
    size_t *by_local; /* places by rank in the communicator; NULL: not asked for yet. members_clear() frees it. */
};

#define NO_MEMBER SIZE_MAX

/* All members of all communicators of the job: those of one communicator follow each other, by world rank. The caller
 * frees them. */
struct member *list_members(struct job *job, size_t *ret_count);

/* The peer of an operation or channel of the member `of`; NO_MEMBER: any source, not known, or not read. O(log n). */
size_t find_peer_member(struct members *members, size_t of, int32_t peer_local, int32_t peer_world);
void members_clear(struct members *members);

#endif
