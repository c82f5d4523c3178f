/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job several times, to learn which of its threads go on and which stand still.
 */
#ifndef INSPECT_SAMPLE_JOB_H
#define INSPECT_SAMPLE_JOB_H

#include "read_job.h"

struct sampled_job {
    struct job job;    /* the last sample, with struct thread.stalled of all threads */
    struct job before; /* the first one; where has_before */
    bool has_before;
};

/* Reads the job `samples` times, `interval_s` seconds apart; what does not change, as cores, once. As read_job. */
enum exit_status sample_job(const struct dll *dll, const struct job_request *request, int samples, double interval_s,
                            struct sampled_job *ret_sampled, struct reason *ret_reason);
void sampled_job_clear(struct sampled_job *sampled);

#endif
