/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One group that can never go on, and its words: its ranks, their calls, what is missing.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSES_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSES_H

#include "analysis/calls/calls.h"
#include "analysis/findings/findings.h"
#include "analysis/graph/graph.h"
#include "analysis/messages/messages.h"
#include "words/words.h"

#include <stdio.h>

struct fault;
struct known_round;

/* -- cause.c --
 * Causes: the innermost groups of the dead of a wait-for graph, and which fault each of them is.
 */

/* A message that was sent instead of the awaited one, if that is no fault of its own. */
struct noted_messages {
    struct near_miss near_miss;    /* of another source; message NULL: none */
    const struct operation *stray; /* sent to another rank than the one that waits for it; NULL: none */
    struct near_miss unreceived;   /* by a rank that is gone, and like what is waited for; message NULL: none */
};

struct stolen_message {
    const struct operation *taken_by; /* a receive from any source, at another place or of another thread */
    const struct operation *left;     /* message that the taken one's receive should have got; NULL: not known */
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
    uint32_t *meetings; /* fault_parted: the nodes of collective calls on communicators */
    size_t meeting_count;
    uint32_t *waiters; /* where that node is a process that is gone: the nodes that wait for it */
    size_t waiter_count;
    uint32_t *crowds; /* where that node is a process that is gone: unreported nodes of waits for several processes (any
                         member of a communicator, all members of a call, any of several things); their waiting threads
                         are among the waiters */
    size_t crowd_count;
    bool is_waited_for_alone;                /* some wait for this gone process alone, not for any or all of several */
    struct ranks ranks, culprits;            /* concerned; to blame (a subset of those concerned) */
    const struct communicator *communicator; /* of a collective call, at one of its members; NULL: not known */
    bool has_wanted;                         /* `wanted` is the message that a stuck receive waits for */
    struct wanted_message wanted;
    uint32_t wanting; /* node of the receive or probe */
    struct noted_messages noted;
    union {                                /* by the fault */
        struct collective_round round;     /* fault_collective_mismatch, fault_fewer_calls: about which they disagree */
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
        struct passed_on passed_on;    /* fault_passed_on */
        struct tag_gap tag_gap;        /* fault_tag_gap */
        struct stolen_message stolen;  /* fault_stolen_message */
        const struct known_round *parted; /* fault_parted: the call that only some have come to */
        const struct process *silent;     /* fault_silent_source: it does not send to the first process */
        struct kept_message kept;         /* fault_deadlock */
        uint32_t left_over;               /* fault_left_over_send: node of a send that MPI_Finalize waits for */
    };
};

/* The waiting nodes: the nodes of the knot, or the nodes that wait for a process that is gone. Not all of them need be
 * dead. */
const uint32_t *cause_waiting_nodes(const struct cause *cause, size_t *ret_count);

/* The process of the first of them. */
const struct process *cause_first_process(const struct waits *waits, const struct cause *cause);

/* Adds a rank to blame, which is also concerned. */
void cause_add_culprit(struct cause *cause, int rank);

/* The process that the node is of; NULL: it is of several, or of none. */
const struct process *cause_node_owner(const struct waits *waits, uint32_t node);
/* Adds its rank. False: there is none. */
bool cause_add_owner(const struct waits *waits, uint32_t node, struct cause *cause, bool as_culprit);
/* The process that is the only culprit; NULL: there are several, or it is not known. */
const struct process *cause_only_culprit(const struct waits *waits, const struct cause *cause);

/* -- cause_text.c --
 * Writes the sentence of a cause, and its parts.
 */

struct cause_text {
    const struct waits *waits;
    const struct communicator_labels *labels;
};

/* "MPI_Recv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)", "a loop of MPI_Iprobe(...) and MPI_Test(...)", with peers left
 * open, and `with_places` with " at ring.c:41" behind each call. */
struct open_call describe_waiting_call(const struct cause_text *text, const struct process *process,
                                       const struct thread *thread, bool with_places);
/* As describe_waiting_call, with places and peers. */
const char *describe_call_and_place(const struct cause_text *text, const struct process *process,
                                    const struct thread *thread);
/* The communicator, window or file in whose order the member counts its calls: "MPI_COMM_WORLD", "file \"out.dat\"". */
const char *describe_order(const struct cause_text *text, const struct job_member *member);
/* " at ring.c:41", " in libsolver.so", or "". */
const char *describe_at(const struct site *site);
/* "is in MPI_Barrier(...) at a.c:7", "has exited", "is not in MPI: computing in solve (a.c:3)". */
const char *describe_doing(const struct cause_text *text, const struct process *process);
/* "is in MPI_Finalize", "has called MPI_Finalize", "has exited". */
const char *describe_end(const struct process *process);

/* ", after MPI_Bcast at program.c:10": the last call of a process that is gone; "": none is known. */
const char *describe_last_call(const struct process *process);
/* As describe_last_call, or " in MPI_Recv at program.c:12". */
const char *describe_exit_place(const struct process *process);

/* The first thread that is in a call, blocked or not; NULL: none. */
const struct thread *find_current_call(const struct process *process);
/* The thread that others see blocked; NULL: none. */
const struct thread *find_first_blocked(const struct process *process);

/* -- cause_evidence.c --
 * Evidence for a cause: the messages and requests of its sentence, the doings of its ranks, and advice about these
 * messages and requests.
 */

/* A message that this rank has sent; `fate` follows: ": it is lost". */
void cause_add_sent(const struct cause_text *text, int rank, const struct operation *message,
                    const struct communicator *communicator, const char *fate, struct finding *finding);
void cause_add_unreceived(const struct cause_text *text, const struct operation *message,
                          const struct communicator *communicator, struct finding *finding);
/* Messages that were noted, as they nearly fit or went to another rank. */
void cause_add_noted(const struct cause_text *text, const struct cause *cause, struct finding *finding);
/* A persistent request that would end a wait, but is inactive. */
void cause_add_idle(const struct cause_text *text, const struct cause *cause, struct finding *finding);
/* The locks that the ranks of the finding wait for, and what each of them is doing. */
void cause_add_doings(const struct cause_text *text, struct finding *finding);

/* Advice about a message that went to another rank; a send whose message is held by a matched probe (NULL: none of the
 * waits is such); a message whose other half is a persistent request that was not started (NULL: none); a process that
 * has ended; a Python program that an exception has ended. */
const char *advise_on_stray(const struct cause *cause);
const char *advise_on_destination(const struct operation *message, int meant, int actual);
const char *advise_on_held(const struct waits *waits, const struct cause *cause);
const char *advise_on_idle(const struct waits *waits, const struct cause *cause);
const char *advise_on_exit(const struct process *culprit);
const char *advise_on_exception(const struct process *culprit);
/* On the message that was noted, else on an idle request. */
const char *advise_on_noted(const struct waits *waits, const struct cause *cause);

/* -- cause_history.c -- The messages before a cause.
 */

/* Appends "; rank 2 has received 3 messages of rank 0 and sent it 2, ..." where one of several ranks has not answered.
 */
void cause_write_odd(FILE *stream, const struct cause_text *text, const struct cause *cause);
/* Ranks that have done less than others in the same call. */
void cause_add_odd(const struct cause_text *text, const struct cause *cause, struct finding *finding);
/* Where messages like those that are waited for at these nodes were sent before, each place once. */
void cause_add_earlier(const struct cause_text *text, const uint32_t *nodes, size_t node_count,
                       struct finding *finding);

/* Adds odd ranks and earlier messages, for all waits of the cause, after the noted messages and idle requests of
 * cause_evidence.c. */
void cause_add_all(const struct cause_text *text, const struct cause *cause, struct finding *finding);

/* -- cause_openings.c -- Processes about which the sentence of a cause says nothing.
 */

/* Appends "; rank 2 could not be read (its process has ...)". */
void cause_write_openings(FILE *stream, const struct cause_text *text, const struct cause *cause);

/* -- cause_wanted.c --
 * Describes the message that a receive or probe of a cause waits for, and what was sent instead.
 */

/* The message that the node waits for, by a receive or a probe. False: it waits for no message. */
bool cause_find_wanted(const struct waits *waits, uint32_t node, struct wanted_message *ret_wanted);
/* Whether the cycle goes from the named source of what is wanted through a message of a third rank: a source that sends
 * in no fixed order may send it when that is over. */
bool cause_holds_source_up(const struct waits *waits, const struct cause *cause);
/* Calls `look` with every node that waits for a message, until one is true: then the cause has what is wanted there. */
bool cause_look_at_wanted(const struct waits *waits, struct cause *cause,
                          bool (*look)(const struct waits *waits, struct cause *cause));
/* Notes messages that may be meant as they are, and so are no fault, but are worth telling: a message of another
 * source that would fit, else one that went to another rank; and a message that nearly fits, though such messages were
 * received before. */
void cause_note_message(const struct waits *waits, struct cause *cause);
void cause_note_stray(const struct waits *waits, struct cause *cause);
void cause_note_unreceived(const struct waits *waits, struct cause *cause);
/* "MPI_Recv(... <- 0, tag 8, ...) at a.c:3", of what waits for a message. */
const char *cause_describe_wanting(const struct cause_text *text, const struct cause *cause);
/* "rank 2 is stuck in MPI_Recv(...) at a.c:7", "rank 3 is stuck in MPI_Waitall at a.c:9: nothing matches its
 * MPI_Irecv(...) at a.c:3". */
void cause_write_stuck(FILE *stream, const struct cause_text *text, const struct cause *cause);

/* -- idle_request.c --
 * Persistent requests that would end a wait, but that nobody has started.
 */

struct idle_request {
    const struct operation *request; /* NULL: there is none */
    const struct process *owner;
    int waiting; /* rank that waits for its other half */
};

/* An inactive persistent request that is the other half of a message of the cause: its rank has a request for the same
 * communicator, rank and tag. Skips requests from any source: their purpose cannot be known. */
struct idle_request idle_request_find(const struct waits *waits, const struct cause *cause);

/* -- last_call.c --
 * The call of a process that began last.
 */

/* One of its messages and collective calls, as far as known; `function` NULL: none is. */
struct last_call {
    const char *function;
    const struct site *site;
    uint64_t ticks;
    double age_s;
};

struct last_call last_call_find(const struct process *process);

/* -- left_out_call.c --
 * A collective call that most members of a communicator have begun while the others wait elsewhere.
 */

/* "call MPI_Gather (a.c:9) on rank 2 too, as 3 of 4 ranks have": for a cycle in which most members have come to a
 * call. *ret_is_likely: the members that have not come have done everything that the others did before it. NULL: no
 * such call. */
const char *advise_on_left_out_call(const struct cause_text *text, const struct cause *cause, bool *ret_is_likely);

/* -- meeting.c --
 * Collective calls that some members have not reached, as nodes of the wait-for graph.
 */

const struct known_round *meeting_find_round(const struct waits *waits, const struct wait_subject *meeting,
                                             uint64_t serial);
/* A member that has begun a call in which not all wait for all may have ended it: the others do not wait for it
 * there. */
bool meeting_has_member(const struct job_member *member, const struct wait_subject *meeting);
/* Whether what is waited for are the members that have not come to a fence of a window. */
bool meeting_is_fence(const struct waits *waits, const struct wait_subject *subject);
/* Whether the member, which is at its end, has no longer the communicator of the call: it has freed it, and waits for
 * nobody there. */
bool meeting_is_over_for(const struct communicator *communicator, const struct process *member);
/* Whether the process alone has come to the call, where the others have made the one before and went on to exchange
 * messages, and it has neither sent nor received anything since that. */
bool meeting_is_repeated_by(const struct waits *waits, const struct wait_subject *meeting,
                            const struct process *process);
/* The process's memory of the communicator, window or file of the call, which it has freed; NULL: not freed, or
 * forgotten. */
const struct freed_object *meeting_find_freed(const struct wait_subject *meeting, const struct process *process);
/* Adds the members that are in the collective call. */
void meeting_add_arrived(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause);
/* Adds those processes that the node waits for, directly or because all must come to a call, as culprits; and who has
 * come to that call. */
void meeting_add_awaited(const struct waits *waits, uint32_t node, struct cause *cause);
/* Marks the ranks awaited in this collective as reported. */
void meeting_tell(const struct waits *waits, const struct cause *cause, bool *is_told);

/* -- odd_one_out.c -- Ranks that wait in the same call as others, but have sent, received or called less or more than
 * these: an earlier omission may be why they all wait.
 */

enum odd_thing {
    ODD_ANSWERS,  /* messages received from a rank that all of them talk with, less those sent to it */
    ODD_SENT,     /* messages sent, compared among ranks with as many peers */
    ODD_RECEIVED, /* messages received, compared among ranks with as many peers */
    ODD_CALLS,    /* collective calls */
};

struct odd_one {
    enum odd_thing thing;
    const struct process *process;
    const struct communicator *
        communicator; /* at this process; the others' need not be the same one, but is also their n-th with this name */
    bool is_shared;   /* it is the same */
    int32_t peer;     /* ODD_ANSWERS: world rank */
    uint64_t sent, received; /* ODD_ANSWERS: to and from it */
    int64_t value, usual;    /* of this rank, and of the others */
    size_t others;           /* with the usual value */
};

struct odd_ones {
    struct odd_one *items; /* answers first; by rank */
    size_t count;
};

/* Finds them among the ranks that wait where a rank of the cause waits; at least three do, and two thirds of them
 * agree. */
struct odd_ones odd_ones_find(const struct waits *waits, const struct cause *cause);

/* -- process_evidence.c --
 * The doings of processes and operations, as evidence.
 */

/* "waits in MPI_Recv(...)" of every blocked thread of the process, or where it is instead. */
void add_process_evidence(const struct cause_text *text, const struct process *process, struct finding *finding);
/* Where its main thread is, outside MPI. */
struct evidence_place place_of_main_thread(const struct process *process);
/* "not complete: MPI_Irecv(...)", of an operation of the process. */
void add_operation_evidence(const struct cause_text *text, const struct process *process,
                            const struct operation *operation, const struct communicator *communicator,
                            struct finding *finding);

/* -- rank_groups.c --
 * Ranks that do the same, for sentences: in the same call at the same place, with peers that follow one rule.
 */

/* Groups of `ranks` of the job, the largest first: the text is what follows the verb, the site is the verb, such as
 * "has", or "" for "is". */
struct evidence_list rank_groups_find(const struct cause_text *text, const struct ranks *ranks);

/* ": ranks [0,1,3] are in MPI_Barrier(...) at a.c:7; rank 2 is in MPI_Recv(...) at a.c:9". */
void rank_groups_write(FILE *stream, const struct evidence_list *groups);
/* "ranks [0,1,3] wait in MPI_Barrier(...) at a.c:7, rank 2 in MPI_Recv(...) at a.c:9,". */
void rank_groups_write_waiting(FILE *stream, const struct evidence_list *groups);

/* -- relied_buffering.c --
 * Sends that wait only because the program was started with `mpilens run --synchronous`.
 */

/* "; the program relies on MPI buffering the message: --synchronous has made that visible", where the cause has such a
 * send; else nothing. */
void cause_write_buffering(FILE *stream, const struct cause_text *text, const struct cause *cause);

/* -- unsent_message.c --
 * Finds messages that ranks wait for and that were not sent, by the messages sent before.
 */

/* Advice for a cycle of receives that lacks messages which were sent before; NULL: nothing to say. */
const char *advise_on_unsent_message(const struct waits *waits, const struct cause *cause);
/* Advice for a rank that has left out one message of those like `before`. */
const char *advise_on_left_out_message(const struct message_end *before);

/* -- waiting_nodes.c --
 * Finds the ranks that wait for a process that is gone.
 */

/* Fills in who waits for the process of the cause's one node. `is_told`, by node: crowds of earlier causes. */
void cause_find_waiters(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told,
                        struct cause *cause);
/* Marks the ranks awaited at this node as reported. */
void cause_tell_crowd(const struct waits *waits, uint32_t node, bool *is_told);
/* Whether the node is one of those that only one thread waits at. */
bool wait_subject_is_part(const struct wait_subject *subject);
/* Whether it waits in MPI_Finalize or the like. */
bool cause_is_end(const struct wait_subject *subject);
/* Whether all wait in collective calls: members that are gone and never came concern only those. */
bool cause_is_of_collectives(const struct waits *waits, const struct cause *cause);

/* Tries the collective calls that are waited in, one after the other; false: `look` takes none of them. */
bool cause_look_at_meetings(const struct waits *waits, struct cause *cause,
                            bool (*look)(const struct waits *, const struct wait_subject *, struct cause *));

/* -- waiting_sentence.c --
 * Writes sentences about ranks that wait for others.
 */

/* "ranks [0-2] wait in MPI_Barrier(...) at a.c:7 for rank 3, which is in MPI_Recv(...) at a.c:9". */
void write_waiting_sentence(FILE *stream, const struct cause_text *text, const struct cause *cause);

#endif
