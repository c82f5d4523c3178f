/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes of this host that are of no MPI job. A command looks for jobs several times within a moment, and hosts have
 * many processes: these are not looked into again for PASSED_OVER_S. Any thread may call.
 */
#ifndef MPILENS_INSPECT_DISCOVER_PASSED_OVER_H
#define MPILENS_INSPECT_DISCOVER_PASSED_OVER_H

#include "base/process_files.h"

/* A process that becomes part of a job, without a new name, is found so much later at most. */
#define PASSED_OVER_S 1.0

/* `now_s`: of monotonic_s(). Of no memory nothing is noted. */
void passed_over_note(const struct process_status *status, double now_s);
/* Whether it was noted under this name, with this parent and user. */
bool passed_over_has(const struct process_status *status, double now_s);
void passed_over_forget(void);

#endif
