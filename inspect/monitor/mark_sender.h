/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The other end of `mpilens guard` on a host that it does not run on: looks at the ranks there now and then, for as
 * long as they live, and says for how long they have stood still.
 */
#ifndef MPILENS_INSPECT_MONITOR_MARK_SENDER_H
#define MPILENS_INSPECT_MONITOR_MARK_SENDER_H

#include "base/exit_status.h"
#include "base/reason.h"
#include "collect/dll.h"

struct mark_plan {
    const char *host;      /* under which name the lines are sent */
    const char *identity;  /* of the job; NULL: the only one of this user here, or of slurm_job */
    const char *slurm_job; /* NULL: any */
    double interval_s;     /* between two looks; each of them sends one line */
};

/* Until the ranks have ended, or standard input has, if anything has come from it. EXIT_GOOD, or EXIT_UNREADABLE and a
 * reason. */
enum exit_status send_marks(const struct dll *dll, const struct mark_plan *plan, struct reason *ret_reason);

#endif
