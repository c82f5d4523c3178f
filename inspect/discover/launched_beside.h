/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the launchers of a job have started on this host beside the ranks that were found: what may still become a rank,
 * and what has been one.
 */
#ifndef MPILENS_INSPECT_DISCOVER_LAUNCHED_BESIDE_H
#define MPILENS_INSPECT_DISCOVER_LAUNCHED_BESIDE_H

#include "discover/discovery.h"

/* Fills without_mpi, ended and has_others of a job that has its ranks, in order. */
void launched_beside_find(const struct found_jobs *jobs, struct found_job *job);

#endif
