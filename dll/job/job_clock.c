/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A processor's time stamp counter is the same for all processes of a host. Those of different hosts are compared by
 * the time of day at which the processes called MPI first.
 */
#include "job/job_internal.h"

/* How far apart two estimates of the moment of booting may be to be of the same boot. */
static const int64_t boot_tolerance_ns = 1000000000;

/* The process that was looked at longest knows best how long a tick is. */
struct job_clock job_clock_of(const struct job_copies *copies)
{
    struct job_clock clock = {.origin = &copies->items[0]->reading.root.process, .ticks_per_ns = 1};
    uint64_t longest_ns = 0;
    for (size_t i = 0; i < copies->count; i++) {
        const struct mpilens_process *process = &copies->items[i]->reading.root.process;
        const uint64_t ns = process->clock_recent_monotonic - process->clock_origin_monotonic;
        const uint64_t ticks = process->clock_recent_ticks - process->clock_origin_ticks;
        if (process->clock_recent_monotonic <= process->clock_origin_monotonic ||
            process->clock_recent_ticks <= process->clock_origin_ticks || ns <= longest_ns)
            continue;
        longest_ns = ns;
        clock.ticks_per_ns = (double)ticks / (double)ns;
    }
    return clock;
}

static int64_t boot_of(const struct mpilens_process *process)
{
    return (int64_t)(process->clock_origin_realtime - process->clock_origin_monotonic);
}

static bool are_of_one_boot(const struct mpilens_process *one, const struct mpilens_process *other)
{
    const double apart_ns = (double)boot_of(one) - (double)boot_of(other);
    return one->clock == other->clock && apart_ns < (double)boot_tolerance_ns && -apart_ns < (double)boot_tolerance_ns;
}

double job_clock_age(const struct job_clock *clock, const struct mpilens_process *process, uint64_t ticks)
{
    const double ticks_per_ns = process->clock == MPILENS_CLOCK_MONOTONIC ? 1 : clock->ticks_per_ns;
    const struct mpilens_process *origin = clock->origin;
    if (are_of_one_boot(process, origin))
        return -(double)(int64_t)(ticks - origin->clock_origin_ticks) / ticks_per_ns / 1e9;
    const double since_first_ns = (double)(int64_t)(ticks - process->clock_origin_ticks) / ticks_per_ns;
    return -((double)(int64_t)(process->clock_origin_realtime - origin->clock_origin_realtime) + since_first_ns) / 1e9;
}
