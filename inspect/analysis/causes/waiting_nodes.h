/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the ranks that wait for a process that is gone.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_WAITING_NODES_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_WAITING_NODES_H

#include "analysis/causes/cause.h"

/* Fills in who waits for the process of the cause's one node. `is_told`, by node: crowds of earlier causes. */
void cause_find_waiters(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told,
                        struct cause *cause);
/* Whom those wait for that wait at this node has been told. */
void cause_tell_crowd(const struct waits *waits, uint32_t node, bool *is_told);
/* Whether the node is one of those that only one thread waits at. */
bool wait_subject_is_part(const struct wait_subject *subject);
/* Whether it waits in MPI_Finalize or the like. */
bool cause_is_end(const struct wait_subject *subject);
/* Whether all wait in collective calls: members that are gone and never came concern only those. */
bool cause_is_of_collectives(const struct waits *waits, const struct cause *cause);

/* Tries the collective calls that are waited in, one after the other; false: `look` takes none of them. */
bool cause_look_at_meetings(const struct waits *waits, struct cause *cause,
                            bool (*look)(const struct waits *, const struct wait_subject *, struct cause *));

#endif
