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

/* The cause that this component, a sink, is. `is_told`, by node: crowds of earlier causes. The caller clears it. */
void cause_find(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told, uint32_t component,
                struct cause *ret_cause);

/* -- cause_shapes.c -- Joins causes of one shape (the same kind of finding, in the same calls at the same places) into
 * one finding, and reports the consequences of a disagreement about a collective call once.
 */

/* Those that were taken so far; empty: zeros. */
struct cause_shapes {
    void *shapes; /* tsearch tree of struct shape */
    void *rounds; /* tsearch tree of struct told_round */
};

enum cause_novelty {
    CAUSE_IS_NEW,
    CAUSE_IS_ALIKE, /* of other ranks, the same way */
    CAUSE_IS_TOLD,  /* the same disagreement keeps later calls, too */
};

/* Which finding the cause belongs to: *ret_finding, which is `number` where it needs one of its own. */
enum cause_novelty cause_shapes_take(struct cause_shapes *shapes, const struct waits *waits, const struct cause *cause,
                                     size_t number, size_t *ret_finding);
void cause_shapes_clear(struct cause_shapes *shapes);

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

/* -- fault_collective_mismatch.c --
 * Members that disagree about a collective call: about its function, root, operation or sizes.
 */

extern const struct fault fault_collective_mismatch;
/* The same about a call that is over, on any communicator of ranks that hang now, where nothing better explains that.
 */
extern const struct fault fault_earlier_mismatch;

/* -- fault_collective_missing.c --
 * Members that have not reached a collective call.
 */

extern const struct fault fault_collective_missing;

/* -- fault_deadlock.c --
 * Ranks that wait for each other: the last resort, after all more specific faults.
 */

extern const struct fault fault_deadlock;

/* -- fault_gone_rank.c --
 * Ranks that have ended, or are in MPI_Finalize, while others wait for them.
 */

extern const struct fault fault_gone_rank;

/* -- fault_fewer_calls.c --
 * A collective call that others have made long ago, but not as a call of that class: they have made fewer of it.
 */
extern const struct fault fault_fewer_calls;

/* -- fault_tag_gap.c --
 * A message that was left out of a row of messages with ever higher tags.
 */
extern const struct fault fault_tag_gap;

/* -- fault_group.c --
 * Members of a group that call MPI_Comm_create_group with different groups or tags.
 */

extern const struct fault fault_group;

/* -- fault_leaders.c --
 * The fault of two leaders that do not find each other: they make an intercommunicator with different tags, in
 * different communicators, or look for others.
 */

extern const struct fault fault_leaders;

/* -- fault_left_over_send.c --
 * A send that nobody receives, while its sender waits in MPI_Finalize.
 */

extern const struct fault fault_left_over_send;

/* -- fault_lost_message.c --
 * A message that was too long for an earlier receive: it is lost, and another one waits for it.
 */

extern const struct fault fault_lost_message;

/* Advice for a message longer than its receive. */
const char *advise_on_size(void);

/* -- fault_misdirected_message.c --
 * Fault: the message that a receive waits for was sent to another rank.
 */

extern const struct fault fault_misdirected_message;

/* -- fault_near_miss.c --
 * A message that fits a waiting receive in all but its tag, its communicator or its source.
 */

extern const struct fault fault_near_miss;

/* -- fault_near_receive.c --
 * A receive that nobody waits for, and that would have taken a message whose sender waits, but for its tag.
 */

extern const struct fault fault_near_receive;

/* -- fault_other_roots.c --
 * A member of a communicator that has once given another root than all others, perhaps long ago.
 */

extern const struct fault fault_other_roots;

/* For jobs in which nothing hangs: adds at most one finding. */
void other_roots_add(const struct cause_text *text, struct findings *findings);

/* -- fault_out_of_step.c --
 * The fault of a member of a communicator that has made a collective call more or less than the others, before the one
 * in which they hang.
 */

extern const struct fault fault_out_of_step;

/* For jobs that go on with calls in wrong pairs: adds a finding for the first such communicator. */
void out_of_step_add(const struct cause_text *text, struct findings *findings);

/* -- fault_own_wait.c --
 * A rank that waits for itself: the last resort where no other rank is part of it.
 */

extern const struct fault fault_own_wait;

/* -- fault_parted.c --
 * Ranks that are in a collective call while others are still in an exchange of messages with them.
 */

extern const struct fault fault_parted;

/* -- fault_silent_source.c --
 * A source of neighborhood collectives that does not have the waiting rank among its destinations.
 */

extern const struct fault fault_silent_source;

/* -- fault_skipped_message.c --
 * A message that its sender has not sent, though it has sent later ones.
 */

extern const struct fault fault_skipped_message;

/* -- fault_start_up.c --
 * Ranks that have exited before MPI_Init, in which others wait for them.
 */

extern const struct fault fault_start_up;

/* -- fault_stolen_message.c --
 * A message that a receive from any source has taken from the receive that waits for it.
 */

extern const struct fault fault_stolen_message;

/* -- fault_unequal_amounts.c --
 * The fault of a member of a collective call that gives another one more or less than that expects.
 */

extern const struct fault fault_unequal_amounts;

/* -- fault_unstarted_spawn.c --
 * A spawned program that never calls MPI_Init.
 */

extern const struct fault fault_unstarted_spawn;

/* -- fault_window_wait.c --
 * Locks that another rank holds, and epochs or fences that others have not begun or ended.
 */

extern const struct fault fault_window_wait;

#endif
