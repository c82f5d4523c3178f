/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clocks of the runtime: the cheapest that tell 10 ms apart. On x86-64 the time stamp counter (the same on all
 * processors of a machine); elsewhere the kernel's coarse monotonic clock.
 */
#ifndef MPILENS_RUNTIME_MPI_CLOCK_H
#define MPILENS_RUNTIME_MPI_CLOCK_H

#include "mpilens/layout.h"

#include <time.h>

static inline uint64_t clock_nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)
enum { CLOCK_KIND = MPILENS_CLOCK_CYCLES };

static inline uint64_t clock_ticks(void)
{
    return __builtin_ia32_rdtsc();
}
#else
enum { CLOCK_KIND = MPILENS_CLOCK_MONOTONIC };

static inline uint64_t clock_ticks(void)
{
    return clock_nanoseconds(CLOCK_MONOTONIC_COARSE);
}
#endif

#endif
