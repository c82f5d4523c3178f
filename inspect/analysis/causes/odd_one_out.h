/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that wait in the same call as others, but have sent, received or called less or more than these: what they left
 * out before may be why they all wait.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_ODD_ONE_OUT_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_ODD_ONE_OUT_H

#include "analysis/causes/cause.h"

enum odd_thing {
    ODD_ANSWERS,  /* messages received from a rank that all of them talk with, less those sent to it */
    ODD_SENT,     /* messages sent, of those with as many peers */
    ODD_RECEIVED, /* likewise, received */
    ODD_CALLS,    /* collective calls */
};

struct odd_one {
    enum odd_thing thing;
    const struct process *process;
    const struct communicator *communicator; /* at this process; that of the others need not be the same, but is the
                                                one that they made as their n-th, too, and called the same */
    bool is_shared;                          /* it is the same */
    int32_t peer;                            /* ODD_ANSWERS: world rank */
    uint64_t sent, received;                 /* ODD_ANSWERS: to and from it */
    int64_t value, usual;                    /* of this rank, and of the others */
    size_t others;                           /* with the usual value */
};

struct odd_ones {
    struct odd_one *items; /* answers first; by rank */
    size_t count;
};

/* Of those that wait where a rank of the cause waits; at least three do, and two thirds of them agree. The caller frees
 * the items. */
struct odd_ones odd_ones_find(const struct waits *waits, const struct cause *cause);

#endif
