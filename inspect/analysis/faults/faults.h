/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ways in which ranks come to wait for ever: one file recognises, describes and remedies each.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULTS_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULTS_H

#include "analysis/causes/causes.h"

#include <stdio.h>

/* -- cause_find.c --
 * Finds the cause that a group of the dead is.
 */

/* The cause that this component, a sink, is. `is_told`, by node: crowds of earlier causes. */
void cause_find(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told, uint32_t component,
                struct cause *ret_cause);

/* -- cause_shapes.c -- Joins causes of one shape (the same kind of finding, in the same calls at the same places) into
 * one finding, and reports the consequences of a disagreement about a collective call once.
 */

/* Those that were taken so far; empty: zeros. */
struct cause_shapes {
    struct arena_node *shapes; /* struct shape */
    struct arena_node *rounds; /* struct told_round */
};

enum cause_novelty {
    CAUSE_IS_NEW,
    CAUSE_IS_ALIKE, /* of other ranks, the same way */
    CAUSE_IS_TOLD,  /* the same disagreement keeps later calls, too */
};

/* Which finding the cause belongs to: *ret_finding, which is `number` where it needs one of its own. */
enum cause_novelty cause_shapes_take(struct cause_shapes *shapes, const struct waits *waits, const struct cause *cause,
                                     size_t number, size_t *ret_finding);

/* -- fault.c --
 * Faults: the ways in which ranks come to wait for ever. Each has a file, fault_X.c, which recognises it, describes
 * it, adds evidence and advises a remedy.
 */

struct fault {
    /* Takes the cause for this fault: sets its kind, the ranks concerned and the ranks to blame. False: another
     * fault. */
    bool (*recognize)(const struct waits *waits, struct cause *cause);
    /* The sentence of the finding. */
    void (*describe)(FILE *stream, const struct cause_text *text, const struct cause *cause);
    /* Advice about the program; NULL: nothing beyond the sentence. */
    const char *(*advise)(const struct cause_text *text, const struct cause *cause);
    /* Adds evidence for the sentence, before the calls of each rank. */
    void (*add_evidence)(const struct cause_text *text, const struct cause *cause, struct finding *finding);
    bool names_message; /* the advice names the missing message, and goes before all others */
};

/* The sentence, and what it leaves open. */
const char *cause_describe(const struct cause_text *text, const struct cause *cause);
/* A change of the program that prevents the cause, "use the same tag at both places"; NULL: none. */
const char *cause_advise(const struct cause_text *text, const struct cause *cause);
/* Adds the calls of each rank of the cause, and evidence for the sentence. */
void cause_add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding);

/* -- faults.def --
 * All faults.
 */

#define FAULT_OF_WAITS(name) extern const struct fault fault_##name;
#define FAULT_OF_GONE(name)  FAULT_OF_WAITS(name)
#include "analysis/faults/faults.def"

/* -- fault_collective_mismatch.c --
 */

/* For a call that all have come to, and that does not end: adds at most one finding, about a call shortly before it. */
void collective_mismatch_add(const struct cause_text *text, struct findings *findings);

/* -- fault_lost_message.c --
 */

/* Advice for a message longer than its receive. */
const char *advise_on_size(void);

/* -- fault_other_roots.c --
 */

/* For jobs in which nothing hangs: adds at most one finding. */
void other_roots_add(const struct cause_text *text, struct findings *findings);

/* -- fault_out_of_step.c --
 */

/* For jobs that go on with calls in wrong pairs: adds a finding for the first such communicator. */
void out_of_step_add(const struct cause_text *text, struct findings *findings);

#endif
