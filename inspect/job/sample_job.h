/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job several times, to learn which of its threads go on and which stand still.
 */
#ifndef MPILENS_INSPECT_JOB_SAMPLE_JOB_H
#define MPILENS_INSPECT_JOB_SAMPLE_JOB_H

#include "job/read_job.h"

/* How often a job is read, and how long it is watched. */
struct sample_plan {
    int samples;
    double interval_s; /* between them */
    /* Whether what two readings one after the other show is certain, so that the job needs not be watched for the
     * interval. NULL: it is to be watched. The places of its threads are not known yet. */
    bool (*is_settled)(const struct job *job, const void *context);
    const void *context;
};

/* Reads the job as planned; what does not change, as cores, once. The job is the last sample, with struct
 * thread.stalled of all threads. As read_job. */
enum exit_status sample_job(const struct dll *dll, const struct job_request *request, const struct sample_plan *plan,
                            struct job *ret_job, struct reason *ret_reason);

/* The two halves of it, where somebody else says when the second sample is taken: the first one, with what is compared
 * with it later. As read_job. */
enum exit_status sample_job_first(const struct dll *dll, const struct job_request *request, struct job *ret_before,
                                  struct reason *ret_reason);
/* The last one. Of a process that others have kept from running nothing is proven by standing still: none of its
 * threads has stalled. */
enum exit_status sample_job_last(const struct dll *dll, const struct job_request *request, const struct job *before,
                                 double interval_s, struct job *ret_job, struct reason *ret_reason);

#endif
