/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job several times, to learn which of its threads go on and which stand still.
 */
#ifndef MPILENS_INSPECT_JOB_SAMPLE_JOB_H
#define MPILENS_INSPECT_JOB_SAMPLE_JOB_H

#include "job/read_job.h"

/* Reads the job `samples` times, `interval_s` seconds apart; what does not change, as cores, once. The job is the last
 * sample, with struct thread.stalled of all threads. As read_job. */
enum exit_status sample_job(const struct dll *dll, const struct job_request *request, int samples, double interval_s,
                            struct job *ret_job, struct reason *ret_reason);

#endif
