/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is wrong with a job, in sentences: the FINDING of the JSON schema mpilens/1.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FINDING_H
#define MPILENS_INSPECT_ANALYSIS_FINDING_H

#include "base/ranks.h"
#include "words/describe.h"
#include "words/open_call.h"

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
};

enum { MOST_EVIDENCE = 100 };

/* What one rank does in a call whose peers are left open. */
struct open_evidence {
    int rank;
    uint64_t serial;
    double age_s;
    struct open_peer peers[MOST_OPEN_PEERS];
};

/* One fact that supports the finding, for people: "rank 1 waits in MPI_Recv(... <- 0, tag 8, MPI_COMM_WORLD) for 12.3
 * s, ring.c:41 main". */
struct finding_evidence {
    struct ranks ranks;         /* world ranks of which it holds */
    uint64_t serial;            /* of the operation, in the first of the ranks; 0: none, it is about the call */
    char *text;                 /* without the ranks: "waits in MPI_Recv(...)" */
    char *site;                 /* "ring.c:41 main"; "": not known */
    double age_s;               /* -1: not known */
    struct open_evidence *open; /* until finding_close_evidence: of each rank; NULL: no peers are left open */
    size_t open_count;
    size_t peer_count; /* of each */
};

struct finding {
    enum finding_kind kind;
    bool confirmed;        /* no rank of the cause has made progress as long as the job was watched */
    struct ranks ranks;    /* concerned, world ranks */
    struct ranks culprits; /* a subset of ranks, or those that the ranks wait for */
    char *message;         /* one English sentence that names ranks, calls and places */
    char *remedy;          /* what to change: "use the same tag at both places"; NULL: nothing to say */
    struct finding_evidence *evidence;
    size_t evidence_count;
    size_t evidence_left_out;
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
/* Appends evidence of one rank; takes `text` and `site`. Evidence with the text and site of an earlier one of this
 * finding is added to its ranks; more than MOST_EVIDENCE different ones are only counted. */
void finding_add_evidence(struct finding *finding, int rank, uint64_t serial, char *text, char *site, double age_s);
/* The same where peers are left open in the call; takes its text. `prefix` stands in front of it. */
void finding_add_open_evidence(struct finding *finding, int rank, uint64_t serial, const char *prefix,
                               struct open_call call, char *site, double age_s);
/* To be called when all was added: finishes all ranks. */
void finding_finish(struct finding *finding);
void findings_clear(struct findings *findings);

/* Give back what one of them has. */
void finding_clear(struct finding *finding);
void finding_evidence_clear(struct finding_evidence *evidence);

#endif
