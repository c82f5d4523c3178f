/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unexpected messages, inferred: messages that a process of the job has sent to another one, and that the other has
 * neither received nor posted a receive for.
 *
 * How many messages are under way from a sender to a receiver on a communicator is known: what the sender has sent less
 * what the receiver has received. Which ones follows from the sends and receives that the two remember, by MPI's rule
 * that messages of one sender with one tag are received in the order in which they were sent (MPI 4.0, 3.5). Where the
 * memory of the receiver does not reach far enough, a message that a waiting receive would take is rather believed to
 * have been received than one that none wants, and an older one rather than a younger one. Of the messages under way,
 * pending receives take theirs in the order in which they were posted. What is left is unexpected.
 *
 * A pure function of the model. Processes that could not be read take no part.
 */
#ifndef INSPECT_UNEXPECTED_H
#define INSPECT_UNEXPECTED_H

#include "model.h"

/* Fills `unexpected` and `unexpected_unknown` of all communicators, but of those for which the process itself has told
 * its unexpected messages. Entries are ordered by sender, those of one sender in the order in which they were sent. */
void infer_unexpected(struct job *job);

/* For unexpected.c and under_way.c only: a process as a member of a communicator. */
struct member {
    const struct process *process;
    struct communicator *communicator;
};

/* Messages under way to one member: sends of others, in the order sender, sent. */
struct under_way {
    struct message_under_way {
        const struct member *sender;
        const struct operation *send;
        bool taken; /* by a receive */
    } * items;
    size_t count;
    uint64_t unknown; /* messages of which nothing but their number is known */
};

/* Appends the messages under way from `sender` to `receiver`. */
void find_under_way(const struct member *sender, const struct member *receiver, struct under_way *under_way);
/* Whether the peer of an operation or channel of `member` is `other`. */
bool is_peer(const struct member *member, int32_t peer_local, int32_t peer_world, const struct member *other);
/* Whether the receive is still to take a message. */
bool awaits_message(const struct operation *receive);
/* Whether a receive of `receiver` accepts a message of `sender`. */
bool accepts(const struct member *receiver, const struct operation *receive, const struct member *sender, int32_t tag);

#endif
