/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the sends of messages that the receiver's runtime has taken out of MPI.
 */
#ifndef MPILENS_DLL_MATCHING_TAKEN_H
#define MPILENS_DLL_MATCHING_TAKEN_H

#include "matching/flows.h"

/* Sets `unexpected_at` and `unexpected_place` of the sends, and counts all that was taken in its flow, also that of
 * which the sender remembers nothing. `all`: where the places of members are counted from.
 *
 * Receives of one tag get the first messages of it, and what they leave is taken in the order in which it was sent: of
 * the sends of one tag the last ones were taken, but for those that came after the receiver's MPI was asked.
 *
 * O(n log n). mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int match_taken(const struct members *members, size_t receiver, const struct flows *flows,
                const struct mpilens_matching_member *all);

#endif
