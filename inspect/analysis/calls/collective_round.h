/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The n-th collective call on a communicator, window or file, at all of its members: who has begun it, and whether all
 * mean the same.
 *
 * MPI has collective calls of one communicator begun in the same order by all of its members, blocking and nonblocking
 * ones not matching each other (MPI 4.0, 6.1 and 6.12); so calls with the same ordinal belong together. Those that make
 * communicators, windows and files are among them. A window or file has an order of its own, as if it had a
 * communicator of its own.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_COLLECTIVE_ROUND_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_COLLECTIVE_ROUND_H

#include "analysis/calls/job_index.h"

enum round_difference {
    ROUND_ALIKE,
    ROUND_OTHER_FUNCTION,
    ROUND_OTHER_ROOT,
    ROUND_OTHER_OP,
    ROUND_OTHER_ARGUMENTS, /* of a call that makes or changes an object */
    ROUND_OTHER_SIZE,      /* count times size of the datatype, where that must be the same */
    ROUND_OTHER_SIGNATURE, /* as many bytes, but of other types; or, of what is combined, another number of elements. A
                            * call may well end all the same: only where some have left it and wait for something else
                            * while others are still in it */
    ROUND_OTHER_AMOUNT,    /* what one gives another is not what that expects of it (round_amounts.h) */
};

struct collective_round {
    uint64_t serial; /* from 1 */
    struct job_members members;
    enum round_difference difference;
    const struct job_member *one, *other; /* two members that differ; NULL: none do */
};

/* Of the communicator, window or file that `one` is a member of; its process does not matter. */
struct collective_round collective_round_find(const struct job_index *index, const struct job_member *one,
                                              uint64_t serial);

/* The call that the member has begun as its n-th; NULL: it has not, or has forgotten it. */
const struct collective_call *collective_round_call(const struct job_member *member, uint64_t serial);
/* Whether all members are there and have begun it. */
bool collective_round_has_all(const struct collective_round *round);
/* Whether the call has ended at all that have begun it. */
bool collective_round_is_over(const struct collective_round *round);
bool collective_round_has_begun(const struct job_member *member, uint64_t serial);

/* Whether what is noted of the call says anything about that, and it must be the same at all members. */
bool collective_call_tells(const struct job_member *member, const struct collective_call *call,
                           enum round_difference difference);
/* Whether two calls differ in what `difference` says. */
bool collective_calls_differ(const struct collective_call *left, const struct collective_call *right,
                             enum round_difference difference);

/* Whether all members have begun the call, some have left it and wait for something else, and others stand still in it.
 */
bool collective_round_is_left_by_some(const struct collective_round *round);

/* Whether all that the members gave was compared, but for what must agree pair by pair: for counts see round_amounts.h,
 * for leaders and their tags leaders.h. `ret_has_arguments`: there is something to compare. */
bool collective_round_is_compared(const struct collective_round *round, bool *ret_has_arguments);

/* Who of the members a member waits for in a collective call that they have not begun. */
enum round_waiting {
    ROUND_WAITS_FOR_ALL,
    ROUND_WAITS_FOR_ROOT,        /* for the root, until that has begun; then for all */
    ROUND_WAITS_FOR_LOWER_RANKS, /* of scans, until those have begun; then for all: some MPIs do */
    ROUND_WAITS_FOR_NEIGHBOURS,  /* in a topology */
};
enum round_waiting collective_round_waiting(const struct communicator *communicator,
                                            const struct collective_call *call);

#endif
