/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that are gone: they were too long for the receive that took them (MPI_ERR_TRUNCATE), and the application has
 * gone on.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_MESSAGES_LOST_MESSAGE_H
#define MPILENS_INSPECT_ANALYSIS_MESSAGES_LOST_MESSAGE_H

#include "analysis/calls/job_index.h"
#include "analysis/messages/near_miss.h"

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

#endif
