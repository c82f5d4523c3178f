/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is wrong with a job, in sentences: the FINDING of the JSON schema mpilens/1.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FINDINGS_FINDING_H
#define MPILENS_INSPECT_ANALYSIS_FINDINGS_FINDING_H

#include "analysis/findings/evidence.h"
#include "base/ranks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_kind {
#define FINDING(enumerator, ...) FINDING_##enumerator,
#include "analysis/findings/findings.def"
#undef FINDING
    FINDING_KIND_COUNT
};

/* What findings.def says of a kind, and in which form. */
struct finding_facts {
    const char *name; /* "deadlock", "waiting-for-rank", ... */
    int importance;   /* the lower, the earlier it is reported */
    const char *order, *summary, *meaning, *example, *remedy, *standard;
};

struct finding {
    enum finding_kind kind;
    bool confirmed;        /* no rank of the cause has made progress as long as the job was watched */
    struct ranks ranks;    /* concerned, world ranks */
    struct ranks culprits; /* a subset of ranks, or those that the ranks wait for */
    char *message;         /* one English sentence that names ranks, calls and places */
    char *remedy;          /* what to change: "use the same tag at both places"; NULL: nothing to say */
    struct evidence_list evidence;
    size_t alike; /* further findings that say the same of other ranks and were left out; their ranks are in `ranks` */
};

/* Most important first. Zero-initialised is empty. */
struct findings {
    struct finding *items;
    size_t count;
};

const struct finding_facts *finding_kind_facts(enum finding_kind kind);
const char *finding_kind_name(enum finding_kind kind);

/* Appends an empty finding, valid until the next is appended. */
struct finding *findings_add(struct findings *findings, enum finding_kind kind);
/* To be called when all was added: finishes all ranks. */
void finding_finish(struct finding *finding);
void findings_clear(struct findings *findings);

/* Gives back what one of them has. */
void finding_clear(struct finding *finding);

#endif
