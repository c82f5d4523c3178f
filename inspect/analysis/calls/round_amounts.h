/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares what the members of a collective call give each other, where they say that by arrays of counts: what one
 * gives another must be as much as that expects of it (MPI 4.1, sections 6.5 to 6.10).
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_ROUND_AMOUNTS_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_ROUND_AMOUNTS_H

#include "analysis/calls/collective_round.h"

/* Two members one of which gives the other more or less than that expects. */
struct unequal_pair {
    const struct job_member *giver, *receiver; /* NULL: there is none */
    int64_t given, expected;                   /* bytes */
    size_t others;                             /* more such pairs */
};

/* Looks for one in a round in which all is alike otherwise, and makes the round one of ROUND_OTHER_AMOUNT if there is
 * one that does harm: if more is given than is expected, or nothing at all, or if others have left the call. Who has
 * left it may have changed its counts since: they are believed where they fit all others but one, and only after
 * `patience_s` in the call. */
struct unequal_pair round_amounts_compare(struct collective_round *round, double patience_s);

/* Whether all of them are in the call, and every amount of each was compared. */
bool round_amounts_are_compared(const struct collective_round *round);

#endif
