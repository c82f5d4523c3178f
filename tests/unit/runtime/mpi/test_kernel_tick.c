/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel's last tick is as old as its own clocks say, and serves one thread.
 */
#include "inside.h"
#include "mpi/mpi_traits.h"

#include <criterion/criterion.h>

#include <pthread.h>

TestSuite(kernel_tick, .init = begin_mpi, .timeout = 60);

enum { TICKS = 5 };

/* Criterion counts a skipped test as one that has not passed. */
static bool lacks_tick(void)
{
    if (mpilens__kernel_tick != NULL)
        return false;
    cr_log_info("this kernel does not keep it, or not for processes to read");
    end_mpi();
    return true;
}

static uint64_t stamp(void)
{
    uint64_t ticks;
    clock_stamp(&ticks);
    return ticks;
}

/* Nanoseconds by CLOCK_MONOTONIC_COARSE while the tick changes TICKS times, against CLOCK_MONOTONIC. */
Test(kernel_tick, goes_on_with_the_kernels_clock)
{
    if (lacks_tick())
        return;
    uint64_t last = stamp();
    for (int changes = 0; changes < TICKS;) {
        const uint64_t coarse = clock_nanoseconds(CLOCK_MONOTONIC_COARSE);
        const uint64_t now = stamp();
        cr_assert_geq(now, last);
        cr_assert_leq(now, clock_ticks());
        if (now != last) {
            cr_assert_geq(clock_nanoseconds(CLOCK_MONOTONIC_COARSE), coarse);
            changes++;
        }
        last = now;
    }
    end_mpi();
}

Test(kernel_tick, is_in_every_stamp_of_a_message)
{
    if (lacks_tick())
        return;
    int value = 0;
    const uint64_t before = stamp();
    MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_RETIRED, 0);
    cr_assert_geq(operation->posted_time, before);
    cr_assert_leq(operation->posted_time, stamp());
    end_mpi();
}

static void *send_one(void *unused)
{
    (void)unused;
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);
    return NULL;
}

Test(kernel_tick, serves_no_more_when_there_are_two_threads, .init = begin_mpi_multiple)
{
    if (lacks_tick())
        return;
    int value = 0;
    pthread_t other;
    MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
    cr_assert_eq(pthread_create(&other, NULL, send_one, NULL), 0);
    pthread_join(other, NULL);
    cr_assert_null(mpilens__kernel_tick);
    MPI_Send(&value, 1, MPI_INT, 2, 5, MPI_COMM_WORLD);
    uint64_t posted_time[3] = {0};
    const struct mpilens_operation *operation;
    for (size_t i = 0; (operation = shadow_operation(MPILENS_OPERATION_RETIRED, i)) != NULL; i++)
        posted_time[operation->tag - 3] = operation->posted_time;
    cr_assert_leq(posted_time[0], posted_time[1]);
    cr_assert_lt(posted_time[1], posted_time[2]);
    end_mpi();
}

/* As after a switch of the clock source. */
Test(kernel_tick, is_left_when_it_stands_still)
{
    static uint64_t words[2] = {UINT64_C(1) << 32, 1};
    mpilens__kernel_tick = &words[1];
    kernel_tick_check();
    cr_assert_null(mpilens__kernel_tick);
    cr_assert_gt(stamp(), 1);
    end_mpi();
}
