/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings: kind, sentence, ranks, what to change; and the evidence that supports them.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FINDINGS_FINDINGS_H
#define MPILENS_INSPECT_ANALYSIS_FINDINGS_FINDINGS_H

#include "base/base.h"
#include "words/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- evidence.c -- The evidence for a finding: calls, sent messages and waits of ranks.
 */

enum { MOST_EVIDENCE = 100 };

/* The call of one rank whose peers are left open. */
struct open_evidence {
    int rank;
    uint64_t serial;
    double age_s;
    struct open_peer peers[]; /* as many as the evidence has */
};

/* A place that evidence names. */
struct evidence_place {
    struct site site;   /* zeroed: not known */
    const char *called; /* the function called there: "MPI_Recv"; NULL: not known, or none */
};

/* One fact that supports a finding, for people: "rank 1 waits in MPI_Recv(... <- 0, tag 8, MPI_COMM_WORLD) for 12.3
 * s, ring.c:41 main". */
struct evidence {
    struct ranks ranks;          /* world ranks of which it holds */
    uint64_t serial;             /* of the operation, in the first of the ranks; 0: none, it is about the call */
    const char *text;            /* without the ranks: "waits in MPI_Recv(...)" */
    const char *site;            /* "ring.c:41 main", or a stack that ends there; "": not known */
    struct evidence_place place; /* of that, the innermost line */
    double age_s;                /* -1: not known */
    char *open; /* until evidence_close: of each rank, see open_evidence_of; NULL: no peers are left open */
    size_t open_count;
    size_t peer_count; /* of each */
    /* The first operation that it is about, as it was added; NULL: it is not about operations whose peer is left open.
     */
    const struct operation *operation;
    uint64_t communicator_id;
};

/* Zero-initialised is empty. */
struct evidence_list {
    struct evidence *items;
    size_t count;
    size_t left_out;
};

/* The place where `called` (NULL or "": not known) was called. `site`, whose texts must last: NULL: not known. */
struct evidence_place evidence_place(const struct site *site, const char *called);
/* Where such a thread is, or has called MPI. */
struct evidence_place evidence_place_of_seen(const struct seen_thread *thread);
/* Appends evidence of one rank. Evidence with the text and site of an earlier one of the list is added to its ranks;
 * more than MOST_EVIDENCE different ones are only counted. */
void evidence_add(struct evidence_list *list, int rank, uint64_t serial, const char *text, struct evidence_place place,
                  double age_s);
/* As evidence_add, of no place and age. */
void evidence_add_text(struct evidence_list *list, int rank, const char *text);
/* As evidence_add, where `stack` tells how the rank came to the place. */
void evidence_add_stack(struct evidence_list *list, int rank, const char *text, const char *stack,
                        struct evidence_place place, double age_s);
/* As evidence_add, for several ranks, at the place of `there`; `age_s` is the age of the oldest. */
void evidence_add_all(struct evidence_list *list, const struct ranks *ranks, uint64_t serial, const char *text,
                      const struct evidence *there, double age_s);
/* As evidence_add, for a call with peers left open. `prefix` goes before it. */
void evidence_add_open(struct evidence_list *list, int rank, uint64_t serial, const char *prefix, struct open_call call,
                       struct evidence_place place, double age_s);
/* As evidence_add, for an operation that is not complete; `labels` as in describe_open_operation. */
void evidence_add_operation(struct evidence_list *list, int rank, const struct operation *operation,
                            const struct communicator *communicator, const struct communicator_labels *labels);
/* The n-th rank of one piece of evidence, and the bytes from one to the next. */
struct open_evidence *open_evidence_of(const struct evidence *evidence, size_t number);
size_t open_evidence_bytes(const struct evidence *evidence);
/* Finishes the ranks of all, when all was added. */
void evidence_finish(struct evidence_list *list);

/* -- evidence_patterns.c --
 * Ranks that make the same call with different peers, told together where the peers follow a rule.
 */

/* Fills in the peers that were left open. Ranks whose peers follow one rule are told together, "-> rank+1 mod 64";
 * with `in_short`, ranks without a rule are as well, in one line. */
void evidence_close(struct evidence_list *list, bool in_short);

/* -- finding.c -- The faults of a job, in sentences: the FINDING of the JSON schema mpilens/1.
 */

enum finding_kind {
#define FINDING(enumerator, ...) FINDING_##enumerator,
#include "analysis/findings/findings.def"
#undef FINDING
    FINDING_KIND_COUNT
};

/* The facts of findings.def about a kind, and the form of its sentence. */
struct finding_facts {
    const char *name; /* "deadlock", "waiting-for-rank", ... */
    int importance;   /* the lower, the earlier it is reported */
    bool is_endless;  /* no rank of it can ever go on */
    const char *order, *summary, *meaning, *example, *remedy, *standard;
};

struct finding {
    enum finding_kind kind;
    bool confirmed;        /* no rank of the cause has made progress as long as the job was watched */
    struct ranks ranks;    /* concerned, world ranks */
    struct ranks culprits; /* a subset of ranks, or those that the ranks wait for */
    const char *message;   /* one English sentence that names ranks, calls and places */
    const char *remedy;    /* advice: "use the same tag at both places"; NULL: nothing to say */
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

#endif
