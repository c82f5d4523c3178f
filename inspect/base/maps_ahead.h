/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mappings of processes that are read ahead, by other threads, for who is about to look at one process after the other
 * (kept_maps_visit()). Ranks that spin keep the processors busy: then each thread gets its share of the time.
 *
 * Nothing depends on these threads. Who comes to a process that is not read yet reads it; a thread that a process keeps
 * waiting is left to itself.
 */
#ifndef MPILENS_INSPECT_BASE_MAPS_AHEAD_H
#define MPILENS_INSPECT_BASE_MAPS_AHEAD_H

#include <stddef.h>
#include <sys/types.h>

struct maps_ahead;

/* From the last one to the first: the caller begins with the first. NULL: they are too few, or there is one processor.
 */
struct maps_ahead *maps_ahead_begin(const pid_t *pids, size_t count);
/* What is not begun is not read any more; waits for nothing. */
void maps_ahead_end(struct maps_ahead *ahead);

#endif
