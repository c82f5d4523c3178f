/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock of the hot path: the cheapest one that tells 10 ms apart. On x86-64 the time stamp counter (one
 * instruction, the same on all processors of a machine); elsewhere the kernel's coarse monotonic clock.
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

/* Stores the time; in two halves where the processor gives it so. */
static inline __attribute__((always_inline)) void clock_stamp(uint64_t *ret_ticks)
{
#if defined(__x86_64__)
    uint32_t *halves = (uint32_t *)(void *)ret_ticks;
    __asm__ volatile("rdtsc\n\tmovl %%eax, %0\n\tmovl %%edx, %1" : "=m"(halves[0]), "=m"(halves[1]) : : "eax", "edx");
#else
    *ret_ticks = clock_ticks();
#endif
}

#endif
