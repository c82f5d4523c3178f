/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes of a job that are members of one communicator, and which of them an operation names.
 */
#ifndef MPILENS_DLL_MATCHING_MEMBERS_H
#define MPILENS_DLL_MATCHING_MEMBERS_H

#include "target/sort.h"

#include "mpilens/extension.h"

#include <stdbool.h>

/* Members of one communicator by world rank; below, members are named by their place here. */
struct members {
    struct mpilens_matching_member **items;
    size_t count;
    struct sort_entry *by_local; /* `major`: signed_key of the rank in the communicator; `minor`: place */
};

/* Of the sends, receives or completed operations of a member the one with this number. */
static inline struct mpilens_matched_operation *
operation_of(const struct mpilens_matching_member *member, struct mpilens_matched_operation *operations, size_t number)
{
    return (struct mpilens_matched_operation *)(void *)((char *)operations + number * member->operation_bytes);
}

#define NO_MEMBER SIZE_MAX

/* Room for members of a communicator with so many. mqs_ok or MPILENS_ERROR_NO_MEMORY; members_clear() frees it. */
int members_begin(struct members *members, size_t limit);
/* The items were set, in the order of world ranks. The same. */
int members_settle(struct members *members);
void members_clear(struct members *members);

/* Orders tags and ranks as numbers without sign. */
uint64_t signed_key(int32_t value);

/* The peer of an operation or channel of the member `of`; NO_MEMBER: any source, not known, or not read. O(log n). */
size_t find_peer_member(const struct members *members, size_t of, int32_t peer_local, int32_t peer_world);

#endif
