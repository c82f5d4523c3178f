/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Builds lists of findings.
 */
#include "analysis/finding.h"

#include "base/allocation.h"

#include <stdlib.h>

/* The word of a kind, and its place among findings: what explains more comes first. */
static const struct {
    const char *name;
    int importance;
} kinds[] = {
    [FINDING_HOST_LOST] = {"host-lost", -2},
    [FINDING_RANK_DIED] = {"rank-died", -1},
    [FINDING_MPI_ERROR] = {"mpi-error", -2},
    [FINDING_LAUNCHER_MISMATCH] = {"launcher-mismatch", -1},
    [FINDING_START_UP] = {"start-up", -1},
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
    [FINDING_LIBRARY_STALL] = {"library-stall", 7},
    [FINDING_QUEUE_GROWTH] = {"queue-growth", 8},
    [FINDING_RANKS_APART] = {"ranks-apart", 10},
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

void finding_finish(struct finding *finding)
{
    ranks_finish(&finding->ranks);
    ranks_finish(&finding->culprits);
    evidence_finish(&finding->evidence);
}

void finding_clear(struct finding *finding)
{
    evidence_list_clear(&finding->evidence);
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
