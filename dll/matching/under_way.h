/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the messages under way from one member of a communicator to another.
 */
#ifndef MPILENS_DLL_MATCHING_UNDER_WAY_H
#define MPILENS_DLL_MATCHING_UNDER_WAY_H

#include "matching/flows.h"
#include "matching/wants.h"

struct message {
    size_t sender; /* member */
    struct mpilens_matched_operation *send;
    double age_s;     /* of the send; the ages of all messages end at the same time */
    int32_t tag;      /* likewise */
    bool is_doubtful; /* it may have been received, or a receive that is not recorded may take it */
};

/* Messages under way to one member, but for those that its runtime has taken out of MPI. */
struct under_way {
    struct message *items; /* with room for all sends of its flows */
    size_t count;
    uint64_t unknown; /* messages of which nothing but their number is known; channels have those of each sender */
};

/* Appends the messages under way in the flow. The other sends are marked as received, and tell with which receive they
 * match if both sides remember all. Where a side has lost records, only its pending sends are appended, as doubtful,
 * and nothing is marked: the rest may have been received or not. `wants`: those of the flow's receiver. mqs_ok or
 * MPILENS_ERROR_NO_MEMORY. */
int find_under_way(const struct members *members, const struct flow *flow, struct wants *wants,
                   struct under_way *under_way);

/* Puts the messages into the order in which MPI matches them: of one sender in that in which they were sent, as they
 * stand; of several senders by age, as which one came first is nowhere noted. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int under_way_sort(struct under_way *under_way);

/* Puts the sorted messages into the order in which later receives of any source take them where the receiver's MPI
 * looks for them in turn (layout.def, process.senders_in_turn). The same. */
int under_way_put_in_turn(const struct members *members, size_t receiver, struct under_way *under_way);

#endif
