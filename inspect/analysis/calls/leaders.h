/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The two sides of an intercommunicator that is being made. Each is a collective call on a communicator of its own; the
 * leaders meet in a third one, with a tag (MPI 4.1, section 7.6.2).
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_LEADERS_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_LEADERS_H

#include "analysis/calls/collective_round.h"

enum leaders_state {
    LEADERS_UNKNOWN,
    LEADERS_APART,    /* the other one is not in such a call */
    LEADERS_DISAGREE, /* it is, but with another tag or communicator, or it looks for somebody else */
    LEADERS_MEET,
};

struct leaders {
    enum leaders_state state;
    const struct process *process; /* the leader of this side */
    const struct thread *thread;   /* in the call; its peer is the other leader */
    const struct process *other_process;
    const struct thread *other_thread; /* NULL: apart */
    struct job_member other;           /* as a member of the communicator of its side */
    uint64_t other_serial;             /* of its call on that */
};

/* Of the side whose call the round is. */
struct leaders leaders_find(const struct job_index *index, const struct collective_round *round);

#endif
