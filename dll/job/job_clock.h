/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One time for the processes of a job, as near as their clocks allow: which of two messages was sent first.
 */
#ifndef MPILENS_DLL_JOB_JOB_CLOCK_H
#define MPILENS_DLL_JOB_JOB_CLOCK_H

#include "job/job_copies.h"

struct job_clock {
    const struct mpilens_process *origin; /* ages are before its first MPI call */
    double ticks_per_ns;
};

struct job_clock job_clock_of(const struct job_copies *copies);

/* Seconds before the origin; negative after it. */
double job_clock_age(const struct job_clock *clock, const struct mpilens_process *process, uint64_t ticks);

#endif
