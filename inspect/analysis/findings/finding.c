/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Builds lists of findings.
 */
#include "analysis/findings/findings.h"

#include "base/base.h"

#include <assert.h>
#include <stdlib.h>

static const struct finding_facts kinds[] = {
#define FINDING(enumerator, word, importance, is_endless, order, summary, meaning, example, remedy, standard)          \
    [FINDING_##enumerator] = {word, importance, is_endless, order, summary, meaning, example, remedy, standard},
#include "analysis/findings/findings.def"
#undef FINDING
};

#define IS_SAID(text) (sizeof(text) > 1)
#define FINDING(enumerator, word, importance, is_endless, order, summary, meaning, example, remedy, standard)          \
    static_assert(IS_SAID(word) && IS_SAID(order) && IS_SAID(summary) && IS_SAID(meaning) && IS_SAID(example) &&       \
                      IS_SAID(remedy) && IS_SAID(standard),                                                            \
                  "findings.def: " word " lacks a text");
#include "analysis/findings/findings.def"
#undef FINDING

const struct finding_facts *finding_kind_facts(enum finding_kind kind)
{
    return &kinds[kind];
}

const char *finding_kind_name(enum finding_kind kind)
{
    return kinds[kind].name;
}

struct finding *findings_add(struct findings *findings, enum finding_kind kind)
{
    findings->items = arena_append(findings->items, &findings->count, sizeof *findings->items);
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
