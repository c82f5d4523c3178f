/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Converts ticks of a process to ages in seconds.
 */
#ifndef MPILENS_INSPECT_TARGET_TICK_CLOCK_H
#define MPILENS_INSPECT_TARGET_TICK_CLOCK_H

#include "mpilens/extension.h"

#include <stdbool.h>
#include <time.h>

struct tick_clock {
    bool known;
    double now; /* ticks */
    double ticks_per_ns;
};

/* A moment on this host, for ages of several processes that can be compared. */
struct tick_moment {
    uint64_t ticks; /* of the processor; 0: it has no counter that can be read */
    uint64_t ns;    /* CLOCK_MONOTONIC */
    /* As the first process has reckoned it that could; 0: none has. Equal lengths keep the order of what happened. */
    double ticks_per_ns;
};
struct tick_moment tick_moment_now(void);

/* The clock of a process that lives on this host, at that moment. May take some milliseconds to measure how long a tick
 * is. */
struct tick_clock tick_clock_live(const struct mpilens_clock_information *information, struct tick_moment *moment);
/* The clock of a process that ended at `end` (CLOCK_REALTIME). */
struct tick_clock tick_clock_ended(const struct mpilens_clock_information *information, struct timespec end);

/* Seconds since `ticks`, never negative; -1: not known, or `ticks` is 0. */
double tick_clock_age(const struct tick_clock *clock, uint64_t ticks);

#endif
