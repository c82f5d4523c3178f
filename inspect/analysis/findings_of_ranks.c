/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps only the findings about some ranks (--rank).
 */
#include "analysis/analysis.h"

static bool has_any(const struct rank_set *set, const struct ranks *ranks)
{
    for (size_t i = 0; i < ranks->count; i++)
        if (rank_is_chosen(set, ranks->items[i]))
            return true;
    return false;
}

static bool is_concerned(const struct finding *finding, const struct rank_set *ranks)
{
    if (has_any(ranks, &finding->ranks) || has_any(ranks, &finding->culprits))
        return true;
    for (size_t i = 0; i < finding->evidence.count; i++)
        if (has_any(ranks, &finding->evidence.items[i].ranks))
            return true;
    return false;
}

static void keep_ranks_of(struct evidence *evidence, const struct rank_set *ranks)
{
    size_t kept = 0;
    for (size_t i = 0; i < evidence->ranks.count; i++)
        if (rank_is_chosen(ranks, evidence->ranks.items[i]))
            evidence->ranks.items[kept++] = evidence->ranks.items[i];
    evidence->ranks.count = kept;
}

/* Evidence of no rank is about the whole. */
static void keep_evidence(struct finding *finding, const struct rank_set *ranks)
{
    size_t kept = 0;
    for (size_t i = 0; i < finding->evidence.count; i++) {
        struct evidence *evidence = &finding->evidence.items[i];
        if (evidence->ranks.count > 0 && !has_any(ranks, &evidence->ranks)) {
            evidence_clear(evidence);
            continue;
        }
        keep_ranks_of(evidence, ranks);
        finding->evidence.items[kept++] = *evidence;
    }
    finding->evidence.count = kept;
}

size_t findings_keep_ranks(struct findings *findings, const struct rank_set *ranks)
{
    size_t kept = 0;
    const size_t count = findings->count;
    if (ranks->count == 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_concerned(&findings->items[i], ranks)) {
            finding_clear(&findings->items[i]);
            continue;
        }
        keep_evidence(&findings->items[i], ranks);
        findings->items[kept++] = findings->items[i];
    }
    findings->count = kept;
    return count - kept;
}
