/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the rule that the peers of many ranks follow.
 */
#include "words/words.h"

#include "base/base.h"

/* Peers that rules are guessed from: the first may be the odd one out. */
enum { MOST_GUESSED_FROM = 4 };

static int32_t modulo(int64_t value, int32_t divisor)
{
    const int32_t rest = (int32_t)(value % divisor);
    return rest < 0 ? rest + divisor : rest;
}

bool peer_rule_fits(const struct peer_rule *rule, const struct open_peer *peer)
{
    switch (rule->kind) {
    case PEER_SAME:
        return peer->local == rule->same.local && peer->world == rule->same.world;
    case PEER_SHIFT:
        return (int64_t)peer->local - peer->rank == rule->shift;
    case PEER_PAIR:
        return (peer->local ^ peer->rank) == rule->shift;
    default:
        return peer->rank / rule->block == peer->local / rule->block &&
               modulo((int64_t)peer->local - peer->rank, rule->block) == modulo(rule->shift, rule->block);
    }
}

struct search {
    const struct open_peer *peers;
    size_t count;
    struct peer_rule best;
    size_t best_count;
};

/* The simpler rules are to be tried first. */
static void try_rule(struct search *search, struct peer_rule rule)
{
    size_t fitting = 0;
    for (size_t i = 0; i < search->count && fitting + (search->count - i) > search->best_count; i++)
        fitting += peer_rule_fits(&rule, &search->peers[i]);
    if (fitting <= search->best_count)
        return;
    search->best = rule;
    search->best_count = fitting;
}

/* The way round that is shorter: -1 instead of +63 of 64. */
static struct peer_rule rule_around(enum peer_rule_kind kind, const struct open_peer *peer, int32_t block)
{
    const int32_t shift = modulo((int64_t)peer->local - peer->rank, block);
    return (struct peer_rule){.kind = kind, .shift = shift > block / 2 ? shift - block : shift, .block = block};
}

static bool is_power_of_two(int32_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

static void try_blocks(struct search *search, const struct open_peer *peer)
{
    for (int32_t blocks = 2; (int64_t)blocks * blocks <= peer->size; blocks++) {
        if (peer->size % blocks != 0)
            continue;
        const int32_t sizes[] = {peer->size / blocks, blocks};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (peer->rank / sizes[i] == peer->local / sizes[i])
                try_rule(search, rule_around(PEER_BLOCK, peer, sizes[i]));
    }
}

struct peer_rule peer_rule_find(const struct open_peer *peers, size_t count, size_t *ret_count)
{
    struct search search = {.peers = peers, .count = count};
    const size_t guesses = count < MOST_GUESSED_FROM ? count : MOST_GUESSED_FROM;
    for (size_t i = 0; i < guesses; i++)
        try_rule(&search, (struct peer_rule){.kind = PEER_SAME, .same = peers[i]});
    for (size_t i = 0; i < guesses; i++) {
        const struct open_peer *peer = &peers[i];
        if (peer->size < 1 || peer->rank < 0 || peer->rank >= peer->size || peer->local >= peer->size)
            continue;
        try_rule(&search, (struct peer_rule){.kind = PEER_SHIFT, .shift = peer->local - peer->rank});
        try_rule(&search, rule_around(PEER_RING, peer, peer->size));
        if (is_power_of_two(peer->local ^ peer->rank))
            try_rule(&search, (struct peer_rule){.kind = PEER_PAIR, .shift = peer->local ^ peer->rank});
        try_blocks(&search, peer);
    }
    *ret_count = search.best_count;
    return search.best;
}

static const char *describe_shift(int32_t shift)
{
    return shift == 0 ? "its own rank" : arena_text("rank%+d", shift);
}

const char *describe_peer_rule(const struct peer_rule *rule)
{
    if (rule->kind == PEER_SAME)
        return describe_rank(rule->same.local, rule->same.world);
    if (rule->kind == PEER_PAIR)
        return arena_text("rank xor %d", rule->shift);
    const char *shift = describe_shift(rule->shift);
    if (rule->kind == PEER_SHIFT || rule->shift == 0)
        return shift;
    return rule->kind == PEER_RING ? arena_text("%s mod %d", shift, rule->block)
                                   : arena_text("%s mod %d in each %d", shift, rule->block, rule->block);
}
