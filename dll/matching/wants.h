/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which messages receives accept.
 */
#ifndef MPILENS_DLL_MATCHING_WANTS_H
#define MPILENS_DLL_MATCHING_WANTS_H

#include "matching/members.h"

/* What one receive accepts. */
struct want {
    size_t source; /* member, or ANY_MEMBER; NO_MEMBER: a message of nobody */
    bool any_tag;
    int32_t tag; /* 0 where any_tag */
};

#define ANY_MEMBER (SIZE_MAX - 1)

/* What the pending receives of one member accept, sorted. */
struct wants {
    bool is_made;
    struct sort_entry *items; /* `major`: source; `middle`: 1 where the tag is `minor`, by signed_key */
    size_t count;
};

struct want want_of(const struct members *members, size_t receiver, const struct mpilens_matched_operation *receive);
/* What the receive has got, where that is known; else as want_of. */
struct want want_of_complete(const struct members *members, size_t receiver,
                             const struct mpilens_matched_operation *receive);
/* Whether the receive is still to take a message. */
bool awaits_message(const struct mpilens_matched_operation *receive);

/* Whether a pending receive of `receiver` accepts messages of `sender` with the tag. Makes `wants`, which begin as zero
 * and which wants_clear() frees, at the first question. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int is_wanted(struct wants *wants, const struct members *members, size_t receiver, size_t sender, int32_t tag,
              bool *ret_is_wanted);
void wants_clear(struct wants *wants);

#endif
