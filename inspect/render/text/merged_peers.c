/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the peers of merged rows as a rule.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

/* Rules that are looked for among rows that differ in nothing else: neighbours in a grid of three dimensions. */
enum { MOST_RULES = 8 };

/* Takes `peer`. */
static void close_peer(size_t column, struct merged_row *row, const char *peer)
{
    row->cells[column] = fill_open_text(row->open_peer, &peer, 1);
    row->open_peer = NULL;
}

void merged_peer_close(size_t column, struct merged_row *row)
{
    if (row->open_peer != NULL)
        close_peer(column, row, describe_rank(row->peer.local, row->peer.world));
}

static struct peer_rule find_rule(struct merged_row *const *rows, size_t count)
{
    struct open_peer *peers = allocate(count * sizeof *peers);
    for (size_t i = 0; i < count; i++)
        peers[i] = rows[i]->peer;
    size_t fitting;
    const struct peer_rule rule = peer_rule_find(peers, count, &fitting);
    free(peers);
    return rule;
}

/* How many ranks have rows that follow the rule. */
static size_t count_ranks(const struct peer_rule *rule, struct merged_row *const *rows, size_t count)
{
    size_t ranks = 0;
    const struct merged_row *last = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!peer_rule_fits(rule, &rows[i]->peer))
            continue;
        ranks += last == NULL || last->rank != rows[i]->rank;
        last = rows[i];
    }
    return ranks;
}

/* Closes the rows that follow the rule; returns how many others there are, which come to stand first. */
static size_t close_followers(size_t column, const struct peer_rule *rule, struct merged_row **rows, size_t count)
{
    size_t others = 0;
    for (size_t i = 0; i < count; i++) {
        if (peer_rule_fits(rule, &rows[i]->peer))
            close_peer(column, rows[i], describe_peer_rule(rule));
        else
            rows[others++] = rows[i];
    }
    return others;
}

void merged_peers_close(size_t column, struct merged_row **rows, size_t count)
{
    struct merged_row **open = allocate(count * sizeof(struct merged_row *));
    memcpy(open, rows, count * sizeof(struct merged_row *));
    for (size_t i = 0; i < MOST_RULES && count >= LEAST_IN_PATTERN; i++) {
        const struct peer_rule rule = find_rule(open, count);
        if (rule.kind != PEER_SAME && count_ranks(&rule, open, count) < LEAST_IN_PATTERN)
            break;
        count = close_followers(column, &rule, open, count);
    }
    for (size_t i = 0; i < count; i++)
        merged_peer_close(column, open[i]);
    free(open);
}
