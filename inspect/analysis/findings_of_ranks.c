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

size_t findings_keep_ranks(struct findings *findings, const struct rank_set *ranks)
{
    size_t kept = 0;
    const size_t count = findings->count;
    if (ranks->count == 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_concerned(&findings->items[i], ranks)) {
            continue;
        }
        findings->items[kept++] = findings->items[i];
    }
    findings->count = kept;
    return count - kept;
}
