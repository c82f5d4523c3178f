/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of findings.
 */
#include "finding.h"

#include "allocation.h"

#include <stdlib.h>
#include <string.h>

const char *finding_kind_name(enum finding_kind kind)
{
    static const char *const names[] = {
        [FINDING_DEADLOCK] = "deadlock",
        [FINDING_WAITING_FOR_RANK] = "waiting-for-rank",
        [FINDING_TAG_MISMATCH] = "tag-mismatch",
        [FINDING_COMMUNICATOR_MISMATCH] = "communicator-mismatch",
        [FINDING_SIZE_MISMATCH] = "size-mismatch",
        [FINDING_SOURCE_MISMATCH] = "source-mismatch",
        [FINDING_COLLECTIVE_MISMATCH] = "collective-mismatch",
        [FINDING_COLLECTIVE_MISSING] = "collective-missing",
        [FINDING_LOCK_WAIT] = "lock-wait",
        [FINDING_NO_MATCH] = "no-match",
        [FINDING_LEAK] = "leak",
        [FINDING_QUEUE_GROWTH] = "queue-growth",
    };
    return names[kind];
}

struct finding *findings_add(struct findings *findings, enum finding_kind kind)
{
    findings->items = array_append(findings->items, &findings->count, sizeof *findings->items);
    struct finding *finding = &findings->items[findings->count - 1];
    finding->kind = kind;
    return finding;
}

static int *add_rank(int *ranks, size_t *count, int rank)
{
    size_t place = *count;
    while (place > 0 && ranks[place - 1] > rank)
        place--;
    if (rank < 0 || (place > 0 && ranks[place - 1] == rank))
        return ranks;
    ranks = array_append(ranks, count, sizeof *ranks);
    memmove(ranks + place + 1, ranks + place, (*count - 1 - place) * sizeof *ranks);
    ranks[place] = rank;
    return ranks;
}

void finding_add_rank(struct finding *finding, int rank)
{
    finding->ranks = add_rank(finding->ranks, &finding->rank_count, rank);
}

void finding_add_culprit(struct finding *finding, int rank)
{
    finding->culprits = add_rank(finding->culprits, &finding->culprit_count, rank);
}

void finding_add_evidence(struct finding *finding, int rank, uint64_t serial, char *text, char *site, double age_s)
{
    for (size_t i = 0; i < finding->evidence_count; i++) {
        struct finding_evidence *evidence = &finding->evidence[i];
        if (strcmp(evidence->text, text) != 0 || strcmp(evidence->site, site) != 0)
            continue;
        evidence->ranks = add_rank(evidence->ranks, &evidence->rank_count, rank);
        if (age_s > evidence->age_s)
            evidence->age_s = age_s;
        free(text);
        free(site);
        return;
    }
    finding->evidence = array_append(finding->evidence, &finding->evidence_count, sizeof *finding->evidence);
    struct finding_evidence *evidence = &finding->evidence[finding->evidence_count - 1];
    *evidence = (struct finding_evidence){.serial = serial, .text = text, .site = site, .age_s = age_s};
    evidence->ranks = add_rank(NULL, &evidence->rank_count, rank);
}

static void clear_finding(struct finding *finding)
{
    for (size_t i = 0; i < finding->evidence_count; i++) {
        free(finding->evidence[i].ranks);
        free(finding->evidence[i].text);
        free(finding->evidence[i].site);
    }
    free(finding->evidence);
    free(finding->ranks);
    free(finding->culprits);
    free(finding->message);
}

void findings_clear(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        clear_finding(&findings->items[i]);
    free(findings->items);
    *findings = (struct findings){0};
}
