/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Converts ticks of a process to ages in seconds. A processor's time stamp counter is the same for all processes of
 * the host, so the reader's own counter says how late it is, and the origin that the runtime took with CLOCK_MONOTONIC
 * how long a tick is.
 */
#include "target/target.h"

#include "mpilens/layout.h"

#include <math.h>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

/* Shorter stretches do not give the length of a tick well enough. */
static const uint64_t least_baseline_ns = 10000000;

/* How far apart two lengths of a tick may be, as a share, to be of the same counter. */
static const double rate_tolerance = 1e-3;

/* How far apart two estimates of the moment of booting may be to be of the same boot. */
static const int64_t boot_tolerance_ns = 1000000000;

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool read_counter(uint64_t *ret_ticks)
{
#if defined(__x86_64__) || defined(__i386__)
    *ret_ticks = __rdtsc();
    return true;
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(*ret_ticks));
    return true;
#else
    (void)ret_ticks;
    return false;
#endif
}

static bool rate_between(uint64_t first_ticks, uint64_t first_ns, uint64_t last_ticks, uint64_t last_ns,
                         double *ret_ticks_per_ns)
{
    if (last_ticks <= first_ticks || last_ns <= first_ns || last_ns - first_ns < least_baseline_ns)
        return false;
    *ret_ticks_per_ns = (double)(last_ticks - first_ticks) / (double)(last_ns - first_ns);
    return true;
}

struct tick_moment tick_moment_now(void)
{
    struct tick_moment moment = {.ns = now_ns(CLOCK_MONOTONIC)};
    if (!read_counter(&moment.ticks))
        moment.ticks = 0;
    return moment;
}

/* Processes of one host share their rate, unless one says something else. */
static void share_rate(struct tick_clock *clock, struct tick_moment *moment)
{
    if (moment->ticks_per_ns == 0)
        moment->ticks_per_ns = clock->ticks_per_ns;
    else if (fabs(clock->ticks_per_ns / moment->ticks_per_ns - 1) < rate_tolerance)
        clock->ticks_per_ns = moment->ticks_per_ns;
}

struct tick_clock tick_clock_live(const struct mpilens_clock_information *information, struct tick_moment *moment)
{
    struct tick_clock clock = {0};
    if (information->clock == MPILENS_CLOCK_MONOTONIC)
        return (struct tick_clock){.known = true, .now = (double)moment->ns, .ticks_per_ns = 1};
    if (information->clock != MPILENS_CLOCK_CYCLES || moment->ticks == 0)
        return clock;
    const uint64_t ticks = moment->ticks, ns = moment->ns;
    clock.now = (double)ticks;
    clock.known =
        rate_between(information->origin_ticks, information->origin_monotonic, information->recent_ticks,
                     information->recent_monotonic, &clock.ticks_per_ns) ||
        rate_between(information->origin_ticks, information->origin_monotonic, ticks, ns, &clock.ticks_per_ns);
    if (!clock.known) {
        const struct timespec pause = {.tv_nsec = 2 * (long)least_baseline_ns};
        nanosleep(&pause, NULL);
        const struct tick_moment later = tick_moment_now();
        clock.known = rate_between(ticks, ns, later.ticks, later.ns, &clock.ticks_per_ns);
    }
    if (clock.known)
        share_rate(&clock, moment);
    return clock;
}

/* Whether the process ran on this host since it was booted: then both have the same counter. */
static bool is_of_this_boot(const struct mpilens_clock_information *information)
{
    const int64_t theirs = (int64_t)(information->origin_realtime - information->origin_monotonic);
    const int64_t ours = (int64_t)(now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC));
    return ours - theirs < boot_tolerance_ns && theirs - ours < boot_tolerance_ns;
}

struct tick_clock tick_clock_ended(const struct mpilens_clock_information *information, struct timespec end)
{
    struct tick_clock clock = {0};
    if (information->clock == MPILENS_CLOCK_MONOTONIC) {
        clock.ticks_per_ns = 1;
        clock.known = true;
    } else if (information->clock == MPILENS_CLOCK_CYCLES) {
        uint64_t ticks;
        clock.known = rate_between(information->origin_ticks, information->origin_monotonic, information->recent_ticks,
                                   information->recent_monotonic, &clock.ticks_per_ns) ||
                      (is_of_this_boot(information) && read_counter(&ticks) &&
                       rate_between(information->origin_ticks, information->origin_monotonic, ticks,
                                    now_ns(CLOCK_MONOTONIC), &clock.ticks_per_ns));
    }
    const double lifetime_ns = (double)end.tv_sec * 1e9 + (double)end.tv_nsec - (double)information->origin_realtime;
    clock.known = clock.known && information->origin_realtime != 0 && lifetime_ns >= 0;
    if (clock.known)
        clock.now = (double)information->origin_ticks + lifetime_ns * clock.ticks_per_ns;
    return clock;
}

double tick_clock_age(const struct tick_clock *clock, uint64_t ticks)
{
    if (!clock->known || ticks == 0)
        return -1;
    const double age_ns = (clock->now - (double)ticks) / clock->ticks_per_ns;
    return age_ns > 0 ? age_ns / 1e9 : 0;
}
