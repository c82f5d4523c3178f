/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that disagree about a collective call, those together that made it alike: who is the odd one out.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_ROUND_CLASSES_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_ROUND_CLASSES_H

#include "analysis/calls/collective_round.h"
#include "base/ranks.h"

/* Members that made the call alike. */
struct round_class {
    const struct collective_call *call; /* of the first of them */
    struct ranks ranks;                 /* of the world */
    bool has_other_sites;               /* not all of them made it where the first did */
};

enum { MOST_ROUND_CLASSES = 16 };

struct round_classes {
    struct round_class items[MOST_ROUND_CLASSES]; /* the largest first, then by the first rank */
    size_t count;
    struct ranks others;  /* who has come, but of whom it is not known what it gave, or who is in no class of those */
    struct ranks missing; /* who could be read and has not come */
    size_t size;          /* of all that belong to the round, whether they could be read or not */
    double last_s;        /* since the last of them came; -1: not known */
};

/* `round` has a difference. The caller clears it. */
struct round_classes round_classes_find(const struct collective_round *round);
void round_classes_clear(struct round_classes *classes);

/* Whether the first class is more than half of those that belong to the round: whoever comes yet, the others are the
 * odd ones out. Where all have come, it need only be larger than each other one. */
bool round_classes_have_usual(const struct round_classes *classes);
/* The last call before the round that all of its members made as the same function at the same place, of those that are
 * remembered; NULL: none is. */
const struct collective_call *round_last_shared(const struct collective_round *round);
/* Whether it is the same line of the program. */
bool is_same_place(const struct site *left, const struct site *right);
/* Whether no class has made the call at a place where another one has: these are different calls of the program. A
 * root that stands alone may well have a place of its own. */
bool round_classes_are_of_other_sites(const struct round_classes *classes);

#endif
