/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Merges the evidence of ranks that make the same call with different peers, if the peers follow a rule.
 */
#include "analysis/findings/findings.h"

#include "base/base.h"
#include "words/words.h"

#include <stdlib.h>

static int compare_open(const void *left_evidence, const void *right_evidence)
{
    const struct open_evidence *left = left_evidence;
    const struct open_evidence *right = right_evidence;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->serial < right->serial ? -1 : left->serial > right->serial;
}

static void sort_by_rank(struct evidence *evidence)
{
    size_t in_order = 1;
    while (in_order < evidence->open_count &&
           compare_open(open_evidence_of(evidence, in_order - 1), open_evidence_of(evidence, in_order)) <= 0)
        in_order++;
    if (in_order < evidence->open_count)
        qsort(evidence->open, evidence->open_count, open_evidence_bytes(evidence), compare_open);
}

struct rules {
    struct peer_rule items[MOST_OPEN_PEERS];
};

static bool follows(const struct rules *rules, const struct evidence *evidence, const struct open_evidence *one)
{
    for (size_t i = 0; i < evidence->peer_count; i++)
        if (!peer_rule_fits(&rules->items[i], &one->peers[i]))
            return false;
    return true;
}

/* The rules that the most follow; returns how many do. */
static size_t find_rules(const struct evidence *evidence, struct rules *ret_rules)
{
    struct open_peer *peers = allocate(evidence->open_count * sizeof *peers);
    size_t count = 0;
    for (size_t i = 0; i < evidence->peer_count; i++) {
        for (size_t j = 0; j < evidence->open_count; j++)
            peers[j] = open_evidence_of(evidence, j)->peers[i];
        size_t fitting;
        ret_rules->items[i] = peer_rule_find(peers, evidence->open_count, &fitting);
    }
    free(peers);
    for (size_t i = 0; i < evidence->open_count; i++)
        count += follows(ret_rules, evidence, open_evidence_of(evidence, i));
    return count;
}

static void add_followers(struct evidence_list *list, const struct evidence *evidence, const struct rules *rules)
{
    const char *peers[MOST_OPEN_PEERS];
    struct ranks ranks = {0};
    uint64_t serial = 0;
    double age_s = -1;
    for (size_t i = 0; i < evidence->peer_count; i++)
        peers[i] = describe_peer_rule(&rules->items[i]);
    for (size_t i = 0; i < evidence->open_count; i++) {
        const struct open_evidence *one = open_evidence_of(evidence, i);
        if (!follows(rules, evidence, one))
            continue;
        serial = ranks.count == 0 ? one->serial : serial;
        age_s = one->age_s > age_s ? one->age_s : age_s;
        ranks_add(&ranks, one->rank);
    }
    evidence_add_all(list, &ranks, serial, fill_open_text(evidence->text, peers, evidence->peer_count), evidence,
                     age_s);
}

static void add_one(struct evidence_list *list, const struct evidence *evidence, const struct open_evidence *one,
                    bool in_short)
{
    const char *peers[MOST_OPEN_PEERS];
    for (size_t i = 0; i < evidence->peer_count; i++)
        peers[i] = in_short ? "..." : describe_rank(one->peers[i].local, one->peers[i].world);
    const struct ranks ranks = {.items = (int[]){one->rank}, .count = 1};
    evidence_add_all(list, &ranks, one->serial, fill_open_text(evidence->text, peers, evidence->peer_count), evidence,
                     one->age_s);
}

static void close_one(struct evidence_list *list, struct evidence *evidence, bool in_short)
{
    struct rules rules;
    sort_by_rank(evidence);
    const size_t following = find_rules(evidence, &rules);
    const bool is_pattern = following >= LEAST_IN_PATTERN && following * 2 > evidence->open_count;
    if (is_pattern)
        add_followers(list, evidence, &rules);
    const size_t others = evidence->open_count - (is_pattern ? following : 0);
    for (size_t i = 0; i < evidence->open_count; i++)
        if (!is_pattern || !follows(&rules, evidence, open_evidence_of(evidence, i)))
            add_one(list, evidence, open_evidence_of(evidence, i), in_short && others > 1);
}

void evidence_close(struct evidence_list *list, bool in_short)
{
    struct evidence *all = list->items;
    const size_t count = list->count;
    list->items = NULL;
    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].open_count > 0) {
            close_one(list, &all[i], in_short);
            arena_drop(all[i].open);
        } else if (list->count < MOST_EVIDENCE) {
            list->items = arena_append(list->items, &list->count, sizeof *list->items);
            list->items[list->count - 1] = all[i];
            continue;
        } else {
            list->left_out += all[i].ranks.count;
        }
    }
}
