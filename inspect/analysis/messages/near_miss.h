/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that a waiting receive or probe does not take but nearly would: they differ from what it wants in one thing.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_MESSAGES_NEAR_MISS_H
#define MPILENS_INSPECT_ANALYSIS_MESSAGES_NEAR_MISS_H

#include "analysis/calls/job_index.h"
#include "analysis/findings/finding.h"

/* What a receive or probe wants. */
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
    uint64_t serial;         /* of the receive; 0: it is none */
};

struct near_miss {
    enum finding_kind kind;          /* FINDING_TAG_MISMATCH, FINDING_COMMUNICATOR_MISMATCH, FINDING_SOURCE_MISMATCH */
    const struct operation *message; /* of the unexpected messages of the receiver */
    const struct communicator *communicator; /* of the message */
};

/* The message nearest to what is wanted: another tag first, then another communicator, then another communicator in
 * which the source has the same number, then another source, those of the wanted type and size before others; of
 * several the oldest. None that differs in more than that: of other elements, too long for the receive, or one that is
 * sent besides the wanted ones and belongs where it lies. What comes from another process than the wanted one only
 * where `other_sources`: many programs have messages of several sources waiting for their turn; never where the
 * receiver gets the wanted ones regularly at that place, or those of the other source at another one. False: there is
 * none. */
bool near_miss_find(const struct job_index *index, const struct wanted_message *wanted, bool other_sources,
                    struct near_miss *ret_near_miss);

/* Likewise, but one that belongs where it lies counts, and nothing of another process does. */
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

#endif
