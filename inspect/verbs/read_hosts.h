/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the job that the user means: on all its hosts where it has others than this one, else here.
 */
#ifndef MPILENS_INSPECT_VERBS_READ_HOSTS_H
#define MPILENS_INSPECT_VERBS_READ_HOSTS_H

#include "gather/wide_job.h"
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

/* The same in two steps, for who reads a job again and again. First its hosts: WIDE_JOB_ERROR is EXIT_USAGE. */
enum wide_job_status find_hosts(const struct dll *dll, const struct options *options, const struct job_request *request,
                                const struct host_reading *reading, struct wide_job *ret_wide,
                                struct reason *ret_reason);
/* Then the job. *ret_lost is how many hosts have not answered, also where nothing was read. */
enum exit_status read_wide_job(const struct dll *dll, const struct options *options, const struct job_request *request,
                               const struct host_reading *reading, const struct wide_job *wide, struct job *ret_job,
                               size_t *ret_lost, struct reason *ret_reason);

#endif
