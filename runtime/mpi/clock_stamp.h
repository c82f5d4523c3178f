/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock of the hot path, where an age to 10 ms is enough.
 */
#ifndef MPILENS_RUNTIME_MPI_CLOCK_STAMP_H
#define MPILENS_RUNTIME_MPI_CLOCK_STAMP_H

#include "mpi/clock.h"
#include "mpi/kernel_tick.h"

#include <stddef.h>

/* Stores the time of what one thread does, for its age: to a tick of the kernel where that is cheaper. `ret_ticks` is
 * no later than what clock_ticks gives then, and no earlier than what has been stored here before. */
static inline __attribute__((always_inline)) void clock_stamp(uint64_t *ret_ticks)
{
#if defined(__x86_64__)
    const uint64_t *tick = __atomic_load_n(&mpilens__kernel_tick, __ATOMIC_RELAXED);
    if (__builtin_expect(tick != NULL, 1)) {
        *ret_ticks = __atomic_load_n(tick, __ATOMIC_RELAXED);
        return;
    }
    /* As clock_ticks, without taking a register from the arguments of the quick way. */
    uint64_t ticks;
    __asm__ volatile("movq %%rdx, %%xmm0\n\trdtsc\n\tshlq $32, %%rdx\n\torq %%rdx, %%rax\n\tmovq %%xmm0, %%rdx"
                     : "=a"(ticks)
                     :
                     : "xmm0", "cc");
    *ret_ticks = ticks;
#elif defined(__aarch64__)
    const uint64_t *tick = __atomic_load_n(&mpilens__kernel_tick, __ATOMIC_RELAXED);
    *ret_ticks = __builtin_expect(tick != NULL, 1) ? __atomic_load_n(tick, __ATOMIC_RELAXED) : clock_ticks();
#else
    *ret_ticks = clock_nanoseconds(CLOCK_MONOTONIC_COARSE);
#endif
}

#endif
