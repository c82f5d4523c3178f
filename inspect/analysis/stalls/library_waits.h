/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocked threads that need nothing more of any program: what their calls take has been done at all ranks, and it is
 * the MPI library that has to let them go on.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_LIBRARY_WAITS_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_LIBRARY_WAITS_H

#include "analysis/graph/waits.h"

struct library_wait {
    uint32_t node;        /* of the thread */
    uint32_t meeting;     /* the node of the collective call, or of MPI_Finalize, that all have come to; NO_NODE: its
                           * messages have met their partners */
    struct ranks *needed; /* processes that take part, this one among them; shared by those with the same meeting */
};

struct library_waits {
    struct library_wait *items; /* by meeting, those of messages last; then in the order of nodes */
    size_t count;
    struct ranks **lists; /* of the items */
    size_t list_count;
};

/* All of them: who takes part is blocked in MPI, too, in blocking calls, in no function of the application that MPI has
 * called, and needs nothing of anybody who is not. What cannot be known is no such wait. */
struct library_waits library_waits_find(const struct waits *waits);
void library_waits_clear(struct library_waits *waits);

#endif
