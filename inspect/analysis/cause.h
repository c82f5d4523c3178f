/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes: the innermost groups of the dead of a wait-for graph, and which kind of finding each of them is.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSE_H
#define MPILENS_INSPECT_ANALYSIS_CAUSE_H

#include "analysis/collective_round.h"
#include "analysis/lost_message.h"
#include "analysis/waits.h"

struct cause {
    enum finding_kind kind;
    uint32_t component;
    uint32_t *nodes; /* of the knot, or the one node that waits in vain */
    size_t node_count;
    uint32_t *waiters; /* where that node is a process that is gone: the nodes that wait for it */
    size_t waiter_count;
    uint32_t *crowds; /* likewise: nodes of waits for several processes that have not been told: for any member of a
                         communicator, for all to come to a call, or of a thread for any of several things; who waits
                         there is among the waiters */
    size_t crowd_count;
    bool is_waited_for_alone;     /* likewise: some wait for this process, not for any or all of several */
    struct ranks ranks, culprits; /* concerned; those to blame, who are among them */
    uint32_t meeting; /* FINDING_COLLECTIVE_MISSING: the node of the call that members have not come to; else NO_NODE */
    bool has_round;   /* FINDING_COLLECTIVE_MISMATCH, FINDING_COLLECTIVE_MISSING: `round` says where */
    struct collective_round round;
    const struct communicator *communicator; /* of the round, at one of its members; NULL: not known */
    bool has_wanted;                         /* `wanted` is what a receive waits for in vain */
    struct wanted_message wanted;
    uint32_t wanting;              /* node of the receive or probe */
    struct near_miss near_miss;    /* of mismatches of tag, communicator or source */
    struct lost_message lost;      /* FINDING_SIZE_MISMATCH */
    const struct operation *later; /* FINDING_NO_MATCH: the first message that the source has sent to the receiver after
                                      it should have sent what that waits for; NULL: none */
    const struct operation *stray; /* sent to another rank than the one that waits for it; NULL: none */
    struct near_miss unreceived;   /* FINDING_WAITING_FOR_RANK: what the rank that is gone has left unreceived, message
                                      NULL: nothing that is like what is waited for */
    const struct process *silent;  /* FINDING_NO_MATCH: a source of neighborhood collectives that does not send to
                                      its first process; NULL: none */
    uint32_t left_over;            /* FINDING_NO_MATCH: node of a send that MPI_Finalize waits for; else NO_NODE */
    const struct operation *taken,
        *left; /* FINDING_NO_MATCH: by whom the message was taken, what it should have taken */
};

/* The nodes that wait: those of the knot, or those that wait for a process that is gone. Not all of them need be dead.
 */
const uint32_t *cause_waiting_nodes(const struct cause *cause, size_t *ret_count);

/* The process of the first of them. */
const struct process *cause_first_process(const struct waits *waits, const struct cause *cause);

/* The cause that this component, a sink, is. `is_told`, by node: crowds of earlier causes. The caller clears it. */
void cause_find(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told, uint32_t component,
                struct cause *ret_cause);
/* Whom those wait for that wait at this node has been told. */
void cause_tell_crowd(const struct waits *waits, uint32_t node, bool *is_told);
void cause_tell_meeting(const struct waits *waits, const struct cause *cause, bool *is_told);
void cause_clear(struct cause *cause);

/* Who is to blame is concerned, too. */
void cause_add_culprit(struct cause *cause, int rank);

/* For cause*.c only. The rank of the node, where it is of one process (false: it is not). */
bool cause_add_owner(const struct waits *waits, uint32_t node, struct cause *cause, bool as_culprit);
/* The process of its one node is gone: who waits for it, and what kind of finding that is. */
void cause_find_waiters(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told,
                        struct cause *cause);
void cause_classify_gone(const struct waits *waits, struct cause *cause);
/* Where they wait for locks, epochs or fences: takes the cause for that. False: they do not. */
bool cause_try_window_wait(const struct waits *waits, struct cause *cause);

/* For cause*.c only: take the cause for a mismatch of collective calls, for members that are missing, or for a message
 * that was lost, that nearly fits, that was not sent, or that another receive took, with the ranks that are concerned.
 * False: it is not that. */
bool cause_try_collective_mismatch(const struct waits *waits, struct cause *cause);
bool cause_try_collective_missing(const struct waits *waits, struct cause *cause);
bool cause_try_lost_message(const struct waits *waits, struct cause *cause);
bool cause_try_near_miss(const struct waits *waits, struct cause *cause);
bool cause_try_stolen_message(const struct waits *waits, struct cause *cause);
/* The same for a sender that has gone on without sending what is waited for. */
bool cause_try_skipped_message(const struct waits *waits, struct cause *cause);
/* What the node waits for: a receive, or a probe. False: it waits for no message. */
bool cause_find_wanted(const struct waits *waits, uint32_t node, struct wanted_message *ret_wanted);
/* A message of another source that would fit (true: there is one), or one that went to another rank, is no kind of its
 * own, but worth to be told. */
bool cause_note_other_source(const struct waits *waits, struct cause *cause);
void cause_note_stray(const struct waits *waits, struct cause *cause);
/* Likewise what nearly fits, though such messages were received before. */
void cause_note_unreceived(const struct waits *waits, struct cause *cause);
/* Whether what is waited for are the members that have not come to a fence of a window. */
bool cause_waits_for_fence(const struct waits *waits, const struct wait_subject *subject);
/* Adds those processes that the node waits for, directly or because all must come to a call, as culprits; and who has
 * come to that call. */
void cause_add_awaited(const struct waits *waits, uint32_t node, struct cause *cause);

#endif
