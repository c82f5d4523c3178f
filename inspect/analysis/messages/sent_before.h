/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a process has sent before, as far as its flight recorder reaches: whether a message that lies unreceived at a
 * rank belongs there, whether its sender has gone on without one that the rank waits for, and where such ones were
 * sent.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_MESSAGES_SENT_BEFORE_H
#define MPILENS_INSPECT_ANALYSIS_MESSAGES_SENT_BEFORE_H

#include "analysis/calls/job_index.h"
#include "analysis/messages/near_miss.h"

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

#endif
