/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is wrong with a job, in sentences: the FINDING of the JSON schema mpilens/1.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FINDING_H
#define MPILENS_INSPECT_ANALYSIS_FINDING_H

#include "analysis/evidence.h"
#include "base/ranks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_kind {
    FINDING_DEADLOCK,
    FINDING_WAITING_FOR_RANK,
    FINDING_TAG_MISMATCH,
    FINDING_COMMUNICATOR_MISMATCH,
    FINDING_SIZE_MISMATCH,
    FINDING_SOURCE_MISMATCH,
    FINDING_COLLECTIVE_MISMATCH,
    FINDING_COLLECTIVE_MISSING,
    FINDING_LOCK_WAIT,
    FINDING_WINDOW_WAIT, /* for fences, and for what others post or complete */
    FINDING_NO_MATCH,
    FINDING_LEAK,
    FINDING_QUEUE_GROWTH,
    FINDING_RANK_DIED,
    FINDING_LAUNCHER_MISMATCH,
    FINDING_HOST_LOST,
    FINDING_RANKS_APART,   /* all that is known of ranks without the runtime */
    FINDING_LIBRARY_STALL, /* the ranks have done their part; nothing goes on */
    FINDING_START_UP,
    FINDING_MPI_ERROR, /* MPI has failed a call, and ends the job for it; or MPI_Abort does */
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

/* "deadlock", "waiting-for-rank", ... */
const char *finding_kind_name(enum finding_kind kind);
/* The lower, the earlier it is told. */
int finding_kind_importance(enum finding_kind kind);

/* Appends an empty finding, valid until the next is appended. */
struct finding *findings_add(struct findings *findings, enum finding_kind kind);
/* To be called when all was added: finishes all ranks. */
void finding_finish(struct finding *finding);
void findings_clear(struct findings *findings);

/* Gives back what one of them has. */
void finding_clear(struct finding *finding);

#endif
