/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which messages receives accept.
 */
#ifndef MPILENS_INSPECT_MATCHING_WANTS_H
#define MPILENS_INSPECT_MATCHING_WANTS_H

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
    struct want *items;
    size_t count;
};

struct want want_of(struct members *members, size_t receiver, const struct operation *receive);
/* What the receive has got, where that is known; else as want_of. */
struct want want_of_complete(struct members *members, size_t receiver, const struct operation *receive);
/* Whether the receive is still to take a message. */
bool awaits_message(const struct operation *receive);

/* Whether a pending receive of `receiver` accepts messages of `sender` with the tag. Makes `wants`, which begin as zero
 * and which wants_clear() frees, at the first question. */
bool is_wanted(struct wants *wants, struct members *members, size_t receiver, size_t sender, int32_t tag);
void wants_clear(struct wants *wants);

#endif
