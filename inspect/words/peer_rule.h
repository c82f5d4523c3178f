/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What many ranks have in common that make the same call with different peers: each with the next one of a ring, with
 * the other one of a pair, along a dimension of a grid.
 */
#ifndef MPILENS_INSPECT_WORDS_PEER_RULE_H
#define MPILENS_INSPECT_WORDS_PEER_RULE_H

#include "words/describe.h"
#include "words/open_call.h"

enum peer_rule_kind {
    PEER_SAME,  /* the same peer */
    PEER_SHIFT, /* rank + shift */
    PEER_RING,  /* rank + shift, modulo the size of the communicator */
    PEER_PAIR,  /* rank exclusive-or shift */
    PEER_BLOCK, /* rank + shift, modulo `block`, within each block of so many ranks: along a dimension of a grid */
};

struct peer_rule {
    enum peer_rule_kind kind;
    int32_t shift;
    int32_t block;
    struct open_peer same; /* PEER_SAME */
};

/* Fewer ranks are no pattern. */
enum { LEAST_IN_PATTERN = 3 };

/* The rule that the most of the peers follow; *ret_count: how many do. Of several the simplest.
 * In O(count), times the number of divisors of the size. */
struct peer_rule peer_rule_find(const struct open_peer *peers, size_t count, size_t *ret_count);
bool peer_rule_fits(const struct peer_rule *rule, const struct open_peer *peer);
/* "rank+1 mod 64", "3 (world 7)". The caller frees it. */
char *describe_peer_rule(const struct peer_rule *rule);

#endif
