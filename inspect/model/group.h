/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups of processes as ranks of MPI_COMM_WORLD, in ranges with stride: what is regular takes the same little room
 * with any number of members. Equal groups of a job are stored once, so they have the same address.
 */
#ifndef MPILENS_INSPECT_MODEL_GROUP_H
#define MPILENS_INSPECT_MODEL_GROUP_H

#include "mpilens/extension.h"

#include <stddef.h>
#include <stdint.h>

/* A process that says that its MPI_COMM_WORLD has more ranks is not believed. */
enum { MOST_RANKS = 1 << 24 };

struct group_range {
    int32_t first; /* world rank, the next are first + stride, ...; -1: of another world, not known */
    int32_t stride;
    int32_t count;
    int32_t local; /* rank in the group of the first */
};

struct group {
    int32_t size;
    size_t range_count;
    struct group_range *ranges; /* by local rank; equal groups have equal ranges */
    struct group_range *lookup; /* by world rank, without what is not known; no two overlap */
    size_t lookup_count;
};

/* Zero-initialised is empty. */
struct group_pool {
    void *root; /* tsearch tree of struct group */
};

/* The group with these members in the order of their ranks; negative: not known. Valid until the pool is cleared.
 * NULL: more than MOST_RANKS members. */
const struct group *group_pool_add_ranks(struct group_pool *pool, const int *world_ranks, size_t count);
/* The same of ranges. NULL: more than INT32_MAX members, or more than MOST_RANKS that are known; also where a range has
 * a negative count, or world ranks that cannot be. */
const struct group *group_pool_add_ranges(struct group_pool *pool, const struct mpilens_rank_range *ranges,
                                          size_t count);
void group_pool_clear(struct group_pool *pool);

/* World rank of the member `local`; -1: not known, or there is no such member. Of NULL, nothing is known. */
int32_t group_world_rank(const struct group *group, int32_t local);
/* Rank in the group of the world rank; -1: not a member, as far as known. Of several (a broken group): any of them. */
int32_t group_local_rank(const struct group *group, int32_t world);

#endif
