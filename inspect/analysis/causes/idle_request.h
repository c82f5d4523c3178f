/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests that would end a wait, but that nobody has started.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_IDLE_REQUEST_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_IDLE_REQUEST_H

#include "analysis/causes/cause.h"

struct idle_request {
    const struct request *request; /* NULL: there is none */
    const struct process *owner;
    int waiting; /* rank that waits for its other half */
};

/* An inactive persistent request that is the other half of a message of the cause: its rank has a request for the same
 * communicator, rank and tag. Those from any source are not looked at: what they are for cannot be known. */
struct idle_request idle_request_find(const struct waits *waits, const struct cause *cause);

#endif
