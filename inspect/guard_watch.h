/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `mpilens guard` reads of the MPI jobs that its command has started: readings while they run, the verdict at the
 * end.
 */
#ifndef INSPECT_GUARD_WATCH_H
#define INSPECT_GUARD_WATCH_H

#include "dll.h"
#include "guard_job.h"
#include "guard_progress.h"

/* Reads all of them; no process in it: none that could be read, and *ret_reason, if there is any, says why. */
void guard_watch_read(const struct dll *dll, const struct guard_job *guarded, struct guard_reading *ret_reading,
                      struct reason *ret_reason);

/* The verdict on each of them, as text on standard error, for ranks that have stood still for `quiet_s`, and their
 * snapshots: `snapshot`, and that with ".2", ".3" for others; NULL: none. */
void guard_watch_judge(const struct dll *dll, const struct guard_job *guarded, double quiet_s, const char *snapshot);

#endif
