/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes: the innermost groups of the dead of a wait-for graph, and which fault each of them is.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_H

#include "analysis/calls/leaders.h"
#include "analysis/calls/out_of_step.h"
#include "analysis/calls/root_sums.h"
#include "analysis/graph/waits.h"
#include "analysis/messages/lost_message.h"

struct fault;
struct known_round;

/* What was sent instead of what a receive waits for, where that is no fault of its own. */
struct noted_messages {
    struct near_miss near_miss;    /* of another source; message NULL: none */
    const struct operation *stray; /* sent to another rank than the one that waits for it; NULL: none */
    struct near_miss unreceived;   /* by a rank that is gone, and like what is waited for; message NULL: none */
};

struct stolen_message {
    const struct operation *taken_by; /* a receive from any source, at another place or of another thread */
    const struct operation *left;     /* what that should have taken; NULL: not known */
};

struct near_receive {
    uint32_t send; /* node */
    const struct process *receiver;
    const struct operation *receive; /* of the receiver, pending, with another tag */
};

struct misdirected_message {
    const struct operation *message; /* of the unexpected messages of its holder */
    int32_t holder;                  /* rank where it lies */
};

struct cause {
    enum finding_kind kind;
    const struct fault *fault;
    uint32_t component;
    uint32_t *nodes; /* of the knot, or the one node that nothing can release */
    size_t node_count;
    uint32_t *waiters; /* where that node is a process that is gone: the nodes that wait for it */
    size_t waiter_count;
    uint32_t *crowds; /* likewise: nodes of waits for several processes that have not been told: for any member of a
                         communicator, for all to come to a call, or of a thread for any of several things; who waits
                         there is among the waiters */
    size_t crowd_count;
    bool is_waited_for_alone;                /* likewise: some wait for this process, not for any or all of several */
    struct ranks ranks, culprits;            /* concerned; those to blame, who are among them */
    const struct communicator *communicator; /* of a collective call, at one of its members; NULL: not known */
    bool has_wanted;                         /* `wanted` is the message that a stuck receive waits for */
    struct wanted_message wanted;
    uint32_t wanting; /* node of the receive or probe */
    struct noted_messages noted;
    union {                                /* by the fault */
        struct collective_round round;     /* fault_collective_mismatch: about which they disagree */
        const struct known_round *unequal; /* fault_unequal_amounts: the call */
        struct leaders leaders;            /* fault_leaders */
        uint32_t group_call;               /* fault_group: node of one of the calls */
        struct out_of_step out_of_step;    /* fault_out_of_step */
        struct odd_root odd_root;          /* fault_other_roots */
        uint32_t meeting; /* fault_collective_missing: node of the call that members have not come to */
        struct misdirected_message misdirected; /* fault_misdirected_message */
        struct near_miss near_miss;             /* fault_near_miss */
        struct near_receive near_receive;       /* fault_near_receive */
        struct lost_message lost;               /* fault_lost_message */
        const struct operation *later; /* fault_skipped_message: the first one that the source has sent to the receiver
                                          after it should have sent what that waits for */
        struct stolen_message stolen;  /* fault_stolen_message */
        const struct known_round *parted; /* fault_parted: the call that only some have come to */
        const struct process *silent;     /* fault_silent_source: it does not send to the first process */
        uint32_t left_over;               /* fault_left_over_send: node of a send that MPI_Finalize waits for */
    };
};

/* The nodes that wait: those of the knot, or those that wait for a process that is gone. Not all of them need be dead.
 */
const uint32_t *cause_waiting_nodes(const struct cause *cause, size_t *ret_count);

/* The process of the first of them. */
const struct process *cause_first_process(const struct waits *waits, const struct cause *cause);

void cause_clear(struct cause *cause);

/* Who is to blame is concerned, too. */
void cause_add_culprit(struct cause *cause, int rank);

/* The process that the node is of; NULL: it is of several, or of none. */
const struct process *cause_node_owner(const struct waits *waits, uint32_t node);
/* Adds its rank. False: there is none. */
bool cause_add_owner(const struct waits *waits, uint32_t node, struct cause *cause, bool as_culprit);
/* The process that is the only culprit; NULL: there are several, or it is not known. */
const struct process *cause_only_culprit(const struct waits *waits, const struct cause *cause);

#endif
