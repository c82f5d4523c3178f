/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From ticks to seconds.
 */
#include "target/target.h"

#include "mpilens/layout.h"

#include <criterion/criterion.h>
#include <math.h>

static const uint64_t second_ns = 1000000000u;

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec;
}

static void expect_age(double age_s, double expected_s, double tolerance_s)
{
    cr_expect_lt(fabs(age_s - expected_s), tolerance_s, "%f s instead of %f s", age_s, expected_s);
}

static struct tick_clock clock_now(const struct mpilens_clock_information *information)
{
    struct tick_moment now = tick_moment_now();
    return tick_clock_live(information, &now);
}

/* However late the second process is read. */
Test(tick_clock, processes_at_one_moment)
{
    struct tick_moment moment = {.ticks = 90 * second_ns, .ns = 50 * second_ns};
    const struct mpilens_clock_information monotonic = {.clock = MPILENS_CLOCK_MONOTONIC};
    const struct mpilens_clock_information cycles = {.clock = MPILENS_CLOCK_CYCLES,
                                                     .origin_ticks = 10 * second_ns,
                                                     .origin_monotonic = 10 * second_ns,
                                                     .recent_ticks = 70 * second_ns,
                                                     .recent_monotonic = 40 * second_ns};
    struct tick_clock clock = tick_clock_live(&monotonic, &moment);
    expect_age(tick_clock_age(&clock, 45 * second_ns), 5, 1e-6);
    clock = tick_clock_live(&cycles, &moment);
    expect_age(tick_clock_age(&clock, 80 * second_ns), 5, 1e-6);
}

/* Each reckons a little differently how long a tick is. */
Test(tick_clock, order_of_two_processes)
{
    struct tick_moment moment = {.ticks = 90 * second_ns, .ns = 90 * second_ns};
    struct mpilens_clock_information cycles = {.clock = MPILENS_CLOCK_CYCLES,
                                               .origin_ticks = 10 * second_ns,
                                               .origin_monotonic = 10 * second_ns,
                                               .recent_ticks = 20 * second_ns,
                                               .recent_monotonic = 20 * second_ns};
    const struct tick_clock first = tick_clock_live(&cycles, &moment);
    cycles.recent_monotonic += 100000;
    const struct tick_clock second = tick_clock_live(&cycles, &moment);
    const uint64_t sent = 30 * second_ns;
    cr_expect_gt(tick_clock_age(&first, sent), tick_clock_age(&second, sent + 100));
    cr_expect_lt(tick_clock_age(&first, sent + 100), tick_clock_age(&second, sent));
    cycles.recent_monotonic += second_ns;
    const struct tick_clock liar = tick_clock_live(&cycles, &moment);
    cr_expect_gt(tick_clock_age(&liar, sent), tick_clock_age(&first, sent) + 1);
}

Test(tick_clock, monotonic_and_alive)
{
    const struct mpilens_clock_information information = {.clock = MPILENS_CLOCK_MONOTONIC};
    const struct tick_clock clock = clock_now(&information);
    expect_age(tick_clock_age(&clock, now_ns(CLOCK_MONOTONIC) - 5 * second_ns), 5, 1);
}

Test(tick_clock, not_known_and_in_the_future)
{
    const struct mpilens_clock_information information = {.clock = MPILENS_CLOCK_MONOTONIC};
    const struct tick_clock clock = clock_now(&information);
    cr_expect_eq(tick_clock_age(&clock, 0), -1);
    cr_expect_eq(tick_clock_age(&clock, now_ns(CLOCK_MONOTONIC) + 100 * second_ns), 0);
    const struct tick_clock unknown = {0};
    cr_expect_eq(tick_clock_age(&unknown, 1), -1);
    const struct mpilens_clock_information other = {.clock = 77};
    cr_expect_not(clock_now(&other).known);
    const struct timespec end = {.tv_sec = 1};
    cr_expect_not(tick_clock_ended(&other, end).known);
}

/* 2 ticks per nanosecond; the process ended 30 s after its first MPI call. */
Test(tick_clock, cycles_of_a_process_that_has_ended)
{
    const struct mpilens_clock_information information = {
        .clock = MPILENS_CLOCK_CYCLES,
        .origin_ticks = 1000,
        .origin_monotonic = 500,
        .origin_realtime = 1000 * second_ns,
        .recent_ticks = 1000 + 2 * second_ns,
        .recent_monotonic = 500 + second_ns,
    };
    const struct timespec end = {.tv_sec = 1030};
    const struct tick_clock clock = tick_clock_ended(&information, end);
    cr_assert(clock.known);
    expect_age(tick_clock_age(&clock, 1000 + 20 * second_ns), 20, 1e-3);
    const struct timespec before = {.tv_sec = 900};
    cr_expect_not(tick_clock_ended(&information, before).known, "ended before it began");
}

Test(tick_clock, cycles_of_an_unknown_length)
{
    const struct mpilens_clock_information information = {
        .clock = MPILENS_CLOCK_CYCLES,
        .origin_ticks = 1000,
        .origin_monotonic = 500,
        .origin_realtime = 1000 * second_ns, /* another boot */
        .recent_ticks = 1000,
        .recent_monotonic = 500,
    };
    const struct timespec end = {.tv_sec = 1030};
    cr_expect_not(tick_clock_ended(&information, end).known);
}

#if defined(__x86_64__)
#include <x86intrin.h>

Test(tick_clock, cycles_and_alive)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    const uint64_t ns = now_ns(CLOCK_MONOTONIC), ticks = __rdtsc();
    struct mpilens_clock_information information = {
        .clock = MPILENS_CLOCK_CYCLES, .origin_ticks = ticks, .origin_monotonic = ns};
    information.recent_ticks = ticks;
    information.recent_monotonic = ns;
    struct tick_clock clock = clock_now(&information); /* too young: the clock is measured */
    cr_expect(clock.known);
    nanosleep(&pause, NULL);
    clock = clock_now(&information);
    const double passed_s = (double)(now_ns(CLOCK_MONOTONIC) - ns) / 1e9;
    expect_age(tick_clock_age(&clock, ticks), passed_s, passed_s / 10);
}
#endif
