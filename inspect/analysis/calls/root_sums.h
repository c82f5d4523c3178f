/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of a communicator that have once given another root than the others, which need not hang at once. Told by
 * the sums of all roots, which must be equal at members that have begun as many calls: the runtime keeps that of now
 * and some of before.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_ROOT_SUMS_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_ROOT_SUMS_H

#include "analysis/calls/job_index.h"
#include "base/ranks.h"

struct odd_root {
    const struct job_member *member;           /* NULL: all have given the same roots, as far as is known */
    uint64_t last_alike;                       /* the last call up to which their sums are known to be equal; 0: none */
    uint64_t since;                            /* the first one up to which they are known not to be */
    size_t others;                             /* that agree */
    const struct collective_call *own, *usual; /* call `since`, where it is the one; NULL: not known */
};

/* The one member that most others differ from, the `first` ranks looked at first: of large communicators not all are.
 */
struct odd_root root_sums_find(const struct job_index *index, const struct communicator *communicator,
                               const struct ranks *first);

#endif
