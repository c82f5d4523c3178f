/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Faults: the ways in which ranks come to wait for ever. Each has a file, fault_X.c, which recognises it, describes
 * it, adds evidence and advises a remedy.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_H

#include "analysis/causes/cause_text.h"

#include <stdio.h>

struct fault {
    /* Takes the cause for this fault: sets its kind, who is concerned and who is to blame. False: it is another. */
    bool (*recognize)(const struct waits *waits, struct cause *cause);
    /* The sentence of the finding. */
    void (*describe)(FILE *stream, const struct cause_text *text, const struct cause *cause);
    /* What to change in the program; NULL: there is nothing to say that the sentence does not. The caller frees it. */
    char *(*advise)(const struct cause_text *text, const struct cause *cause);
    /* What else the sentence says, before what each rank does. */
    void (*add_evidence)(const struct cause_text *text, const struct cause *cause, struct finding *finding);
    bool names_message; /* what to change says which message is missing, which goes before all else */
};

/* The sentence, and what it leaves open. The caller frees it. */
char *cause_describe(const struct cause_text *text, const struct cause *cause);
/* What to change in the program so that the cause cannot come about, "use the same tag at both places"; NULL: nothing.
 * The caller frees it. */
char *cause_advise(const struct cause_text *text, const struct cause *cause);
/* What each rank of the cause does, and what else the sentence says. */
void cause_add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding);

#endif
