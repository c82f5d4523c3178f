/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What supports a finding: what ranks do, have sent, wait for.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FINDINGS_EVIDENCE_H
#define MPILENS_INSPECT_ANALYSIS_FINDINGS_EVIDENCE_H

#include "base/ranks.h"
#include "words/describe.h"
#include "words/open_call.h"

enum { MOST_EVIDENCE = 100 };

/* What one rank does in a call whose peers are left open. */
struct open_evidence {
    int rank;
    uint64_t serial;
    double age_s;
    struct open_peer peers[]; /* as many as the evidence has */
};

/* One fact that supports a finding, for people: "rank 1 waits in MPI_Recv(... <- 0, tag 8, MPI_COMM_WORLD) for 12.3
 * s, ring.c:41 main". */
struct evidence {
    struct ranks ranks; /* world ranks of which it holds */
    uint64_t serial;    /* of the operation, in the first of the ranks; 0: none, it is about the call */
    char *text;         /* without the ranks: "waits in MPI_Recv(...)" */
    char *site;         /* "ring.c:41 main"; "": not known */
    double age_s;       /* -1: not known */
    char *open;         /* until evidence_close: of each rank, see open_evidence_of; NULL: no peers are left open */
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

/* Appends evidence of one rank; takes `text` and `site`. Evidence with the text and site of an earlier one of the
 * list is added to its ranks; more than MOST_EVIDENCE different ones are only counted. */
void evidence_add(struct evidence_list *list, int rank, uint64_t serial, char *text, char *site, double age_s);
/* The same of several ranks; `age_s` is that of the oldest. */
void evidence_add_all(struct evidence_list *list, const struct ranks *ranks, uint64_t serial, char *text, char *site,
                      double age_s);
/* The same where peers are left open in the call; takes its text. `prefix` stands in front of it. */
void evidence_add_open(struct evidence_list *list, int rank, uint64_t serial, const char *prefix, struct open_call call,
                       char *site, double age_s);
/* The same of an operation that is not complete; `labels` as in describe_open_operation. */
void evidence_add_operation(struct evidence_list *list, int rank, const struct operation *operation,
                            const struct communicator *communicator, const struct communicator_labels *labels);
/* Of the ranks of one evidence the one with this number, and the bytes from one to the next. */
struct open_evidence *open_evidence_of(const struct evidence *evidence, size_t number);
size_t open_evidence_bytes(const struct evidence *evidence);
/* Finishes the ranks of all, when all was added. */
void evidence_finish(struct evidence_list *list);
void evidence_list_clear(struct evidence_list *list);
/* Gives back what one of them has. */
void evidence_clear(struct evidence *evidence);

#endif
