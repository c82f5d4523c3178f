/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A cache of examined collective calls, shared by all of their members.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_KNOWN_ROUNDS_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_KNOWN_ROUNDS_H

#include "analysis/calls/round_amounts.h"

struct known_round {
    struct collective_round round;
    struct unequal_pair unequal; /* where that is its difference */
    size_t begun_count;          /* members that have begun the call */
    uint32_t last_node; /* of the wait-for graph, of those that stand for waits in this call; NO_NODE: none so far */
    /* Of scans: the members that have not begun it, by their ranks in the communicator, and for each, as far as they
     * are waited for, the node for those that wait for it and all before it. */
    bool late_is_known;
    int32_t *late;
    size_t late_count;
    uint32_t *late_nodes;
    size_t late_node_count;
};

struct known_rounds;
/* `patience_s`: see round_amounts.h. */
struct known_rounds *known_rounds_create(double patience_s);
void known_rounds_destroy(struct known_rounds *rounds);

/* The n-th call on the communicator, window or file that `one` is a member of; its process does not matter. Stays the
 * caller's to change until the end of `rounds`. */
struct known_round *known_round_find(struct known_rounds *rounds, const struct job_index *index,
                                     const struct job_member *one, uint64_t serial);

#endif
