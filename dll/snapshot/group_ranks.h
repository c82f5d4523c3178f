/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The members of a group as ranks of MPI_COMM_WORLD.
 */
#ifndef MPILENS_DLL_SNAPSHOT_GROUP_RANKS_H
#define MPILENS_DLL_SNAPSHOT_GROUP_RANKS_H

#include "layout/root.h"
#include "layout/table_copy.h"

struct rank_range {
    struct mpilens_range range;
    int32_t end; /* rank in the group after the last of this range */
};

struct group_ranks {
    int code;     /* mqs_ok, or why the members are not known */
    int32_t size; /* of the group */
    uint32_t range_count;
    struct rank_range *ranges;
};

/* Sets the code of groups whose ranges lie in memory of other groups, which no runtime does: `ranks` has an element for
 * each record of the table. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int group_ranks_refuse_shared(const struct root *root, const struct table_copy *groups, struct group_ranks *ranks);

/* Reads and checks the members of one group whose record stands at `address`. Always sets *ret_ranks; returns
 * MPILENS_ERROR_NO_MEMORY, or mqs_ok with what is wrong with this group in ret_ranks->code. */
int group_ranks_read(const struct target *target, const struct root *root, const struct mpilens_group *group,
                     uint64_t address, struct group_ranks *ret_ranks);

void group_ranks_free(struct group_ranks *ranks);

/* Rank in MPI_COMM_WORLD of a member, -1: not known. `ranks` may be NULL. */
int32_t group_ranks_world(const struct group_ranks *ranks, int64_t rank);

/* All of them, `size` of them. mqs_ok, MPILENS_ERROR_CORRUPT (also where `ranks` is NULL), or what group_ranks.code
 * says. */
int group_ranks_list(const struct group_ranks *ranks, int64_t size, int *ret_world_ranks);

#endif
