/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clocks of the runtime. On x86-64 and arm64 the counter that is the same on all processors of a machine: exact, so
 * that what happens later has a later time; elsewhere the kernel's monotonic clock.
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
#elif defined(__aarch64__)
enum { CLOCK_KIND = MPILENS_CLOCK_CYCLES };

static inline uint64_t clock_ticks(void)
{
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory"); /* not earlier than it stands here */
    return ticks;
}
#else
enum { CLOCK_KIND = MPILENS_CLOCK_MONOTONIC };

static inline uint64_t clock_ticks(void)
{
    return clock_nanoseconds(CLOCK_MONOTONIC);
}
#endif

#endif
