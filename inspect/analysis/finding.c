/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Builds lists of findings.
 */
#include "analysis/finding.h"

#include "base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* The word of a kind, and its place among findings: what explains more comes first. */
static const struct {
    const char *name;
    int importance;
} kinds[] = {
    [FINDING_RANK_DIED] = {"rank-died", -1},
    [FINDING_LAUNCHER_MISMATCH] = {"launcher-mismatch", -1},
    [FINDING_COLLECTIVE_MISMATCH] = {"collective-mismatch", 0},
    [FINDING_TAG_MISMATCH] = {"tag-mismatch", 1},
    [FINDING_COMMUNICATOR_MISMATCH] = {"communicator-mismatch", 1},
    [FINDING_SIZE_MISMATCH] = {"size-mismatch", 1},
    [FINDING_SOURCE_MISMATCH] = {"source-mismatch", 2},
    [FINDING_DEADLOCK] = {"deadlock", 3},
    [FINDING_LOCK_WAIT] = {"lock-wait", 3},
    [FINDING_WINDOW_WAIT] = {"window-wait", 3},
    [FINDING_NO_MATCH] = {"no-match", 3},
    [FINDING_WAITING_FOR_RANK] = {"waiting-for-rank", 4},
    [FINDING_COLLECTIVE_MISSING] = {"collective-missing", 4},
    [FINDING_QUEUE_GROWTH] = {"queue-growth", 8},
    [FINDING_LEAK] = {"leak", 9},
};

const char *finding_kind_name(enum finding_kind kind)
{
    return kinds[kind].name;
}

int finding_kind_importance(enum finding_kind kind)
{
    return kinds[kind].importance;
}

struct finding *findings_add(struct findings *findings, enum finding_kind kind)
{
    findings->items = array_append(findings->items, &findings->count, sizeof *findings->items);
    struct finding *finding = &findings->items[findings->count - 1];
    finding->kind = kind;
    return finding;
}

static struct finding_evidence *find_evidence(struct finding *finding, const char *text, const char *site,
                                              size_t peer_count)
{
    for (size_t i = 0; i < finding->evidence_count; i++)
        if (finding->evidence[i].peer_count == peer_count && strcmp(finding->evidence[i].text, text) == 0 &&
            strcmp(finding->evidence[i].site, site) == 0)
            return &finding->evidence[i];
    return NULL;
}

/* The evidence with this text and site, which are taken; NULL: there is no room for more. */
static struct finding_evidence *take_evidence(struct finding *finding, uint64_t serial, char *text, char *site,
                                              size_t peer_count)
{
    struct finding_evidence *evidence = find_evidence(finding, text, site, peer_count);
    if (evidence == NULL && finding->evidence_count < MOST_EVIDENCE) {
        finding->evidence = array_append(finding->evidence, &finding->evidence_count, sizeof *finding->evidence);
        evidence = &finding->evidence[finding->evidence_count - 1];
        *evidence = (struct finding_evidence){
            .serial = serial, .text = text, .site = site, .age_s = -1, .peer_count = peer_count};
    } else {
        free(text);
        free(site);
    }
    finding->evidence_left_out += evidence == NULL;
    return evidence;
}

void finding_add_evidence(struct finding *finding, int rank, uint64_t serial, char *text, char *site, double age_s)
{
    struct finding_evidence *evidence = take_evidence(finding, serial, text, site, 0);
    if (evidence == NULL)
        return;
    ranks_add(&evidence->ranks, rank);
    if (age_s > evidence->age_s)
        evidence->age_s = age_s;
}

void finding_add_open_evidence(struct finding *finding, int rank, uint64_t serial, const char *prefix,
                               struct open_call call, char *site, double age_s)
{
    struct finding_evidence *evidence =
        take_evidence(finding, serial, format_text("%s%s", prefix, call.text), site, call.peer_count);
    free(call.text);
    if (evidence == NULL)
        return;
    if (call.peer_count == 0) {
        ranks_add(&evidence->ranks, rank);
        if (age_s > evidence->age_s)
            evidence->age_s = age_s;
        return;
    }
    evidence->open = array_append(evidence->open, &evidence->open_count, sizeof *evidence->open);
    struct open_evidence *open = &evidence->open[evidence->open_count - 1];
    *open = (struct open_evidence){.rank = rank, .serial = serial, .age_s = age_s};
    memcpy(open->peers, call.peers, sizeof open->peers);
}

void finding_finish(struct finding *finding)
{
    ranks_finish(&finding->ranks);
    ranks_finish(&finding->culprits);
    for (size_t i = 0; i < finding->evidence_count; i++)
        ranks_finish(&finding->evidence[i].ranks);
}

void finding_evidence_clear(struct finding_evidence *evidence)
{
    ranks_clear(&evidence->ranks);
    free(evidence->text);
    free(evidence->site);
    free(evidence->open);
}

void finding_clear(struct finding *finding)
{
    for (size_t i = 0; i < finding->evidence_count; i++)
        finding_evidence_clear(&finding->evidence[i]);
    free(finding->evidence);
    ranks_clear(&finding->ranks);
    ranks_clear(&finding->culprits);
    free(finding->message);
    free(finding->remedy);
}

void findings_clear(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        finding_clear(&findings->items[i]);
    free(findings->items);
    *findings = (struct findings){0};
}
