/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was found in the processes of this host a moment ago. A command looks for jobs several times within a moment,
 * hosts have many processes, and the mappings of each are long: it is not looked into again for LOOKED_AT_S. Any thread
 * may call.
 */
#ifndef MPILENS_INSPECT_DISCOVER_LOOKED_AT_H
#define MPILENS_INSPECT_DISCOVER_LOOKED_AT_H

#include "discover/discovery.h"

/* What a process becomes without a new name is seen so much later at most. */
#define LOOKED_AT_S 1.0

/* `rank`, which is copied: what was found in the process; NULL: it is of no job. `now_s`: of monotonic_s(). Where there
 * is no memory nothing is noted. */
void looked_at_note(const struct process_status *status, const struct found_rank *rank, double now_s);
/* What was noted under this name, with this parent and user; false: nothing. *ret_rank is as of then, and the caller's
 * to clear; with pid 0 the process is of no job. */
bool looked_at_find(const struct process_status *status, double now_s, struct found_rank *ret_rank);
/* Whether anything was. */
bool looked_at_has(const struct process_status *status, double now_s);
void looked_at_forget(void);

#endif
