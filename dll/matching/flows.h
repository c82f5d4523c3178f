/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the members of a communicator have sent to each other: a flow for each pair of which one has sent something to
 * the other, with everything that the two remember of it.
 */
#ifndef MPILENS_DLL_MATCHING_FLOWS_H
#define MPILENS_DLL_MATCHING_FLOWS_H

#include "matching/members.h"

struct flow {
    size_t sender;
    size_t receiver;
    struct mpilens_message_count *channel; /* of the sender */
    uint64_t sent;                         /* counted, whether they are remembered or not */
    uint64_t received;
    uint64_t partitioned_sent; /* of those, as far as remembered */
    uint64_t partitioned_received;
    double ages_delay_s;                      /* of the sender */
    uint64_t taken;                           /* by the receiver's runtime out of MPI, and not received since */
    struct mpilens_matched_operation **sends; /* pending, complete or over, in the order of posting; not partitioned,
                                               * not cancelled */
    uint64_t send_count;
    struct mpilens_matched_operation **receives; /* that are over, by tag and then in the order of posting; likewise */
    uint64_t receive_count;
};

struct flows {
    struct flow *items; /* by receiver, then by sender */
    size_t count;
    size_t *first_flow;                       /* of each receiver, and the end: as many as there are members, and one */
    struct mpilens_matched_operation **sends; /* of all flows, those of one together */
    struct mpilens_matched_operation **receives;
};

/* In O(n log n) of channels and remembered operations. mqs_ok or MPILENS_ERROR_NO_MEMORY; flows_clear() frees it, also
 * then. */
int find_flows(const struct members *members, struct flows *ret_flows);
void flows_clear(struct flows *flows);

/* `from` less `number`, at least 0: what processes count need not agree while they run. */
static inline uint64_t subtract(uint64_t from, uint64_t number)
{
    return from > number ? from - number : 0;
}

/* How many messages were sent and not received. Channels count partitioned messages, which match only each other and
 * are never unexpected. */
uint64_t flow_under_way(const struct flow *flow);

/* NULL: there is none. Either may be NO_MEMBER. O(log n). */
struct flow *find_flow(const struct flows *flows, size_t receiver, size_t sender);

#endif
