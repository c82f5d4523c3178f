/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that compute, sleep, are stopped and have ended.
 */
#include "child.h"
#include "stack/stack.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SOON_MS = 20000 };

static struct process_reading reading_of(const struct child *child)
{
    struct process_reading reading;
    struct reason reason = {.text = ""};
    cr_assert_eq(process_reading_take(child->pid, &reading, &reason), 0, "%s", reason.text);
    return reading;
}

/* Reads until all threads of the child have come to do this. */
static struct process_reading wait_for_activity(const struct child *child, enum process_activity activity)
{
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    struct process_reading reading = reading_of(child);
    for (int i = 0; i < SOON_MS && process_activity_between(NULL, &reading) != activity; i++) {
        nanosleep(&pause, NULL);
        reading = reading_of(child);
    }
    cr_assert_eq(process_activity_between(NULL, &reading), activity, "state %c", reading.state);
    return reading;
}

Test(process_activity, computing)
{
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    struct child child = child_start(STACK_PROGRAM);
    const struct process_reading first = reading_of(&child);
    struct process_reading second = first;
    for (int i = 0; i < SOON_MS && second.cpu_time_s - first.cpu_time_s < 0.05; i++) {
        nanosleep(&pause, NULL);
        second = reading_of(&child);
    }
    cr_expect_geq(second.cpu_time_s - first.cpu_time_s, 0.05, "one of its threads computes");
    cr_expect_eq(process_activity_between(&first, &second), ACTIVITY_COMPUTING, "state %c", second.state);
    child_end(&child);
}

Test(process_activity, sleeping_stopped_and_ended)
{
    struct child child = child_start(TARGET_PROGRAM);
    const struct process_reading first = wait_for_activity(&child, ACTIVITY_SLEEPING);
    kill(child.pid, SIGSTOP);
    struct process_reading second = wait_for_activity(&child, ACTIVITY_STOPPED);
    cr_expect_geq(second.at_s, first.at_s);
    cr_expect_geq(second.cpu_time_s, first.cpu_time_s);
    kill(child.pid, SIGKILL);
    child_wait_for_state(&child, 'Z', SOON_MS);
    waitpid(child.pid, NULL, 0);
    struct reason reason = {.text = ""};
    double cpu_time_s = -1;
    cr_expect_eq(process_reading_take(child.pid, &second, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "has ended"));
    cr_expect_eq(process_cpu_time(child.pid, &cpu_time_s), -1);
    cr_expect_eq(cpu_time_s, -1);
}

Test(process_activity, cpu_time_between_readings)
{
    const struct process_reading first = {.at_s = 100, .cpu_time_s = 7, .state = 'S'};
    const struct process_reading busy = {.at_s = 100.5, .cpu_time_s = 7.4, .state = 'S'};
    const struct process_reading looks_around = {.at_s = 100.5, .cpu_time_s = 7.001, .state = 'S'};
    const struct process_reading stopped = {.at_s = 100.5, .cpu_time_s = 7.4, .state = 't'};
    cr_expect_eq(process_activity_between(&first, &busy), ACTIVITY_COMPUTING);
    cr_expect_eq(process_activity_between(&first, &looks_around), ACTIVITY_SLEEPING);
    cr_expect_eq(process_activity_between(&first, &stopped), ACTIVITY_STOPPED);
    cr_expect_eq(process_activity_of_state(0), ACTIVITY_UNKNOWN);
    cr_expect_eq(process_activity_of_state('D'), ACTIVITY_SLEEPING);
    cr_expect_eq(process_activity_of_state('Z'), ACTIVITY_ENDED);
    cr_expect_str_eq(describe_activity(ACTIVITY_UNKNOWN), "");
    cr_expect_str_eq(describe_activity(ACTIVITY_COMPUTING), "computing");
}

Test(process_activity, kept_from_running)
{
    const struct process_reading first = {.at_s = 100, .cpu_time_s = 7, .state = 'R'};
    const struct process_reading waited = {.at_s = 100.5, .cpu_time_s = 7.0004, .state = 'R'};
    const struct process_reading ran = {.at_s = 100.5, .cpu_time_s = 7.003, .state = 'R'};
    const struct process_reading slept = {.at_s = 100.5, .cpu_time_s = 7, .state = 'S'};
    const struct process_reading stopped = {.at_s = 100.5, .cpu_time_s = 7, .state = 'T'};
    cr_expect_not(process_has_run(&first, &waited));
    cr_expect(process_has_run(&first, &ran));
    cr_expect(process_has_run(&first, &slept));
    cr_expect(process_has_run(&first, &stopped));
}

Test(process_activity, kept_from_running_until_now)
{
    struct process_reading first = {.cpu_time_s = 0};
    while (process_cpu_time(getpid(), &first.cpu_time_s) == 0 && first.cpu_time_s < 0.01)
        continue;
    first.cpu_time_s = 0;
    cr_expect(process_has_run_since(getpid(), &first));
    first.cpu_time_s = 1e6; /* it has had none since */
    cr_expect_not(process_has_run_since(getpid(), &first));
    struct child sleeper = child_start(TARGET_PROGRAM);
    wait_for_activity(&sleeper, ACTIVITY_SLEEPING);
    cr_expect(process_has_run_since(sleeper.pid, &first));
    child_end(&sleeper);
    cr_expect(process_has_run_since(sleeper.pid, &first), "it is gone");
}
