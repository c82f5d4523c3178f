/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of one process of the job to another: which sends and receives match, and which messages are unexpected,
 * that is, sent, and neither received nor taken by a receive that the receiver has posted.
 *
 * How many messages are under way from a sender to a receiver on a communicator is known: what the sender has sent less
 * what the receiver has received. Which ones follows from the sends and receives that the two remember, by MPI's rule
 * that messages of one sender with one tag are received in the order in which they were sent (MPI 4.0, 3.5). Where the
 * memory of the receiver does not reach far enough, a message that a waiting receive would take is rather believed to
 * have been received than one that none wants, and an older one rather than a younger one. Of the messages under way,
 * pending receives take theirs in the order in which they were posted. What is left is unexpected.
 *
 * Where the sender or the receiver has lost records, the counts say only how many messages are under way at least, and
 * sends that are over say nothing: no message between the two is taken for unexpected, or for received.
 *
 * A pure function of the model. Processes that could not be read take no part. O(n log n) in channels and operations.
 */
#ifndef MPILENS_INSPECT_MATCHING_UNEXPECTED_H
#define MPILENS_INSPECT_MATCHING_UNEXPECTED_H

#include "model/model.h"

/* Sets what sends and receives match (match_rank and the fields after it). Fills `unexpected` and `unexpected_unknown`
 * of all communicators, but of those for which the process itself has told its unexpected messages. Entries are ordered
 * by sender, those of one sender in the order in which they were sent. */
void infer_unexpected(struct job *job);

#endif
