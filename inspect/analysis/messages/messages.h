/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that nearly fit a receive, were sent earlier or were lost.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_MESSAGES_MESSAGES_H
#define MPILENS_INSPECT_ANALYSIS_MESSAGES_MESSAGES_H

#include "analysis/calls/calls.h"
#include "analysis/findings/findings.h"

/* -- near_miss.c --
 * Messages that a waiting receive or probe does not take but nearly would: they differ from what it wants in one thing.
 */

/* The message that a receive or probe wants. */
struct wanted_message {
    const struct process *receiver;
    const struct communicator *communicator;
    int32_t peer_local; /* -1: any source */
    int32_t peer_world; /* -1: any or not known */
    int32_t tag;        /* where tag_wild is false */
    bool tag_wild;
    int64_t bytes; /* -1: not known, as of probes */
    int64_t count;
    const char *datatype;    /* NULL: not known */
    const struct site *site; /* where the receive or probe was called; NULL: not known */
    uint64_t site_address; /* as above, also where `site` is the program's place that called a library; 0: not known */
    uint64_t serial;       /* of the receive; 0: it is none */
};

/* The message that the receive, which is not complete, waits for. */
struct wanted_message wanted_message_of(const struct process *receiver, const struct communicator *communicator,
                                        const struct operation *receive);

/* Whether the source has freed the communicator, and with it the record of its sends there. */
bool wanted_source_has_left(const struct job_index *index, const struct wanted_message *wanted);

struct near_miss {
    enum finding_kind kind;          /* FINDING_TAG_MISMATCH, FINDING_COMMUNICATOR_MISMATCH, FINDING_SOURCE_MISMATCH */
    const struct operation *message; /* of the unexpected messages of the receiver */
    const struct communicator *communicator; /* of the message */
};

/* The message nearest to the wanted one: another tag first, then another communicator, then another communicator in
 * which the source has the same number, then another source; messages of the wanted type and size before others, then
 * the oldest. Excludes messages that differ in more than that: of other elements, too long for the receive, or
 * correctly left for another receive. Considers messages of other sources only with `other_sources`, as many programs
 * have messages of several sources waiting for their turn; and never if the receiver regularly gets the wanted
 * messages at that place, or the other source's messages at another place. False: there is none. */
bool near_miss_find(const struct job_index *index, const struct wanted_message *wanted, bool other_sources,
                    struct near_miss *ret_near_miss);

/* As near_miss_find, but only from the wanted process, and also messages that were left for another receive. */
bool near_miss_find_any(const struct wanted_message *wanted, struct near_miss *ret_near_miss);

/* Whether the receiver has received at that place with one tag higher than the other, and the message has a higher one
 * than is wanted: its turn may come. */
bool near_miss_may_be_early(const struct wanted_message *wanted, const struct near_miss *miss);

/* The newest message that the source of the wanted one has sent on its communicator with its tag, but to another rank,
 * which has not received it and waits for none like it. NULL: there is none, the source is any or not known, or records
 * were lost. */
const struct operation *find_stray_message(const struct job_index *index, const struct wanted_message *wanted);

/* Whether the receive is of another thread than the wanted one. */
bool is_of_other_thread(const struct wanted_message *wanted, const struct operation *taken);

/* A receive that has taken the message which the wanted receive waits for: the completed receive, or one from any
 * source that was started before the wanted one and is not known to be complete; NULL: there is none, or records were
 * lost. Either what it should have taken instead is still there, *ret_left: a message of another source that it would
 * have taken as well, or one such as others that were received at its place, which is another place. Or no other
 * message of that source and tag was ever received, and it took any source and tag or is of another thread
 * (*ret_left is NULL). */
const struct operation *find_stealing_receive(const struct wanted_message *wanted, const struct operation **ret_left);

/* -- tag_gap.c --
 * A message that was left out of a row of messages with ever higher tags, as libraries number theirs.
 */

struct tag_gap {
    const struct process *source; /* that has left it out; NULL: there is no gap, for all that is known */
    size_t received;              /* messages of the row, all from the source */
    bool are_all;                 /* the receiver has not got others on the communicator */
    bool is_regular;              /* the wanted tag follows at the distance of all before */
    uint64_t later;               /* messages that the source has sent there since */
};

/* All that the receiver remembers of what it has received there came from one rank, tag by tag, and that has sent it
 * more, but not with the next tag. */
struct tag_gap tag_gap_find(const struct job_index *index, const struct wanted_message *wanted);
/* Whether the message is of a later step: the tags of all that was received there, from its sender and others, never
 * fall, and the receive takes the next one from any source. */
bool tag_gap_is_before(const struct wanted_message *wanted, const struct operation *message);
/* Whether the receive, from any source, asks for another kind than the message: that is the next one of a row, and the
 * wanted tag is none of these. */
bool tag_gap_has_row_of_others(const struct wanted_message *wanted, const struct operation *message);
/* The only rank that has sent messages with its tag, none to the receiver, and since then has sent or received messages
 * of a later step. NULL: there is none, it may be held up, or ranks pass on what they receive. */
const struct process *tag_gap_find_step(const struct job_index *index, const struct wanted_message *wanted);
/* Whether a message with that tag may be the next one that the rank gets there: the tags of all before never fall. */
bool tag_gap_is_next(const struct communicator *communicator, int32_t tag);
/* Whether all that the process waits for is on that communicator: sends to the receiver, and messages that may be the
 * next. */
bool tag_gap_waits_for_next(const struct process *process, const struct communicator *communicator, int32_t receiver);
/* The ranks that it has sent messages with that tag. */
struct ranks tag_gap_served(const struct process *source, const struct wanted_message *wanted);

/* -- chain_gap.c --
 * A message that one rank has not passed on, where each goes from rank to rank under a tag of its own.
 */

/* The rank that has got the wanted message and has since sent the receiver later ones without passing it on: all but
 * the receiver have had it, and the last ones before have each gone along all members. NULL: there is none, for all
 * that is known, or it may wait for what it needs to pass it on. */
const struct process *chain_gap_find(const struct job_index *index, const struct wanted_message *wanted);

/* -- message_tally.c --
 * The messages of a rank with one tag.
 */

struct message_tally {
    size_t sent, received;
};

/* Counts those that are remembered: sends that were begun, and receives that are complete. */
struct message_tally message_tally_of(const struct communicator *communicator, int32_t tag);

/* -- passed_on.c --
 * A message that its sender has passed on with another tag than it has received it with.
 */

struct passed_on {
    const struct operation *send;    /* NULL: there is none, for all that is known */
    const struct operation *message; /* the same, where it lies */
    size_t kept;                     /* other messages that were passed on at that place: all with their tag */
    bool originates; /* it also sends messages of its own there, and may have left out the one received */
};

/* One that the receiver would take with the tag of the message that its sender had received last. */
struct passed_on passed_on_find(const struct job_index *index, const struct wanted_message *wanted);

/* -- message_history.c --
 * Sends and receives in the order in which they began, and the other ends of those that are over.
 */

/* The counts of messages with that rank; NULL: there are none, or `communicator` is NULL. */
const struct channel *message_channel_find(const struct communicator *communicator, int32_t peer);

struct message_end {
    const struct process *process;
    const struct communicator *communicator;
    const struct operation *operation;
};

/* Sends whose messages were received, and receives that have got one. */
struct message_pairs {
    struct message_pair {
        const struct operation *operation;
        struct message_end other;
    } * items; /* by the address of `operation` */
    size_t count;
};

/* Pairs what sender and receiver remember, the newest first. */
struct message_pairs message_history_pair(const struct job *job);
/* NULL: not known. */
const struct message_end *message_history_other(const struct message_pairs *pairs, const struct operation *operation);

/* Operations of one process on all communicators: those in its recorder, and those that are not over. */
struct message_history {
    struct message_end *items;
    size_t count;
};
struct message_history message_history_of(const struct process *process);

/* -- kept_message.c --
 * A message after which its receiver has sent none, as it and others at its place have always done.
 */

struct kept_message {
    const struct operation *receive; /* of the flight recorder; NULL: there is none, for all that is known */
    size_t answered;                 /* messages before it there, each with a send that came next */
    struct message_end sent;         /* the last of these sends that came after one like it */
    bool rise;                       /* the tags of all those messages */
};

/* The last message of the receiver, where it waits for the next one at the place where it got that. Several other ranks
 * that have received about as much are known to have sent after each message there. */
struct kept_message kept_message_find(const struct job_index *index, const struct wanted_message *wanted);

/* -- unannounced.c --
 * A message that its sender has left out once: it comes right before each one of a place, such as its length.
 */

struct unannounced {
    struct message_end usual; /* the last one that was sent before one of the place */
    size_t count;             /* of those; 0: none was left out, for all that is known */
};

/* Before messages from the place of `send`, an operation of the sender on its communicator. Messages to other receivers
 * do not count. None was left out where the receiver has got messages that were sent after the one without it. */
struct unannounced unannounced_find(const struct process *sender, const struct communicator *communicator,
                                    const struct operation *send);

/* -- lost_message.c --
 * Messages that are gone: they were too long for the receive that took them (MPI_ERR_TRUNCATE), and the application has
 * gone on.
 */

struct lost_message {
    const struct operation *receive; /* that took it, of the flight recorder; NULL: there is no such message */
    const struct operation *send;    /* at its source; NULL: not known */
    int64_t bytes;                   /* -1: not known */
};

/* The last one that the wanted receive would have taken, if the receiver has got nothing whole of the same source with
 * the same tag since: then it did not ask for it again. None where it has lost records: it may have. */
struct lost_message lost_message_find(const struct job_index *index, const struct wanted_message *wanted);

/* The last one of a process, on one of its communicators. */
struct lost_message lost_message_last(const struct job_index *index, const struct communicator *communicator);

/* -- message_fit.c --
 * How well a message fits what a receive wants, tag, communicator and source aside.
 */

enum message_fit {
    FITS_NOT,  /* of other elements, or longer than the receive: it was meant for another one */
    FITS_ROOM, /* shorter than the receive, or of elements of another name */
    FITS_WELL, /* as far as is known */
};

enum message_fit message_fit(const struct wanted_message *wanted, const struct operation *message);

/* -- sent_before.c -- The earlier sends of a process, as far as its flight recorder reaches. They tell whether an
 * unreceived message belongs at its rank, whether the sender has gone on without a message that the rank waits for, and
 * where such messages were sent.
 */

/* Whether the message of a near miss, which differs in its tag or communicator, is one of those that its sender sends
 * besides the wanted ones: messages like it have gone between the two, or are sent at its place while the wanted ones
 * are sent at another. It has no wrong tag or communicator then: it is for a later receive. */
bool sent_before_is_routine(const struct job_index *index, const struct wanted_message *wanted,
                            const struct near_miss *miss);

/* The oldest unreceived message that the source of the wanted one has sent after it should have sent that: more of its
 * kind lie there than ever came between two of the wanted kind, or others have got one of the wanted kind before it.
 * NULL: there is none, or the source is any. */
const struct operation *sent_before_find_later(const struct job_index *index, const struct wanted_message *wanted);

/* A message like the one that is wanted, of the same communicator and tag. */
struct earlier_message {
    const struct operation *send; /* NULL: none is known */
    const struct process *sender; /* of it: the wanted source, or another rank */
};

/* The last one that the wanted source has sent to the receiver; else the last one that it has sent to another rank;
 * else the last one that any rank has sent to the receiver. */
struct earlier_message sent_before_find_like(const struct job_index *index, const struct wanted_message *wanted);

/* -- usual_source.c --
 * The source whose message a receive from any source waits for.
 */

/* An earlier receive at the place of the wanted one, from the source whose turn it is: the only one that is missing of
 * those that have sent one with each other tag, or the one that has always come after the last one. NULL: there is no
 * such order. */
const struct operation *usual_source_find(const struct wanted_message *wanted);

#endif
