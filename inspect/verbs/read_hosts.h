/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the job that the user means: on all its hosts where it has others than this one, else here.
 */
#ifndef MPILENS_INSPECT_VERBS_READ_HOSTS_H
#define MPILENS_INSPECT_VERBS_READ_HOSTS_H

#include "job/read_job.h"
#include "verbs/options.h"

/* How verbs differ. */
struct host_reading {
    bool two_rounds;    /* it is to be known who stood still */
    bool full;          /* with what handles need */
    bool rank_is_alone; /* a rank that is named does not stand for its job */
};

/* Whether the job was read on its hosts. Then *ret_status is as of read_job, with a job or a reason. False: it is left
 * to the caller, as if there were no other hosts. */
bool read_hosts(const struct dll *dll, const struct options *options, const struct job_request *request,
                const struct host_reading *reading, struct job *ret_job, enum exit_status *ret_status,
                struct reason *ret_reason);

#endif
