/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the state and CPU time of processes.
 */
#include "stack/stack.h"

#include "base/base.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A process that looks around now and then does not compute. */
static const double computing_share = 0.01;

/* Threads that are looked at one by one; of more, the processor time of the process tells. */
enum { MOST_THREADS = 1024 };

/* In which a process that polls looks for messages thousands of times. */
static const double least_run_s = 0.001;

static double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + (double)time->tv_nsec / 1e9;
}

int process_cpu_time(pid_t pid, double *ret_cpu_time_s)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return -1;
    *ret_cpu_time_s = seconds_of(&time);
    return 0;
}

static bool has_running_thread(pid_t pid)
{
    char path[64];
    struct process_status status;
    bool is_running = false;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *directory = opendir(path);
    const struct dirent *entry;
    for (int i = 0; i < MOST_THREADS && directory != NULL && !is_running && (entry = readdir(directory)) != NULL; i++) {
        const pid_t thread = (pid_t)atol(entry->d_name);
        is_running = thread > 0 && read_process_status("/proc", thread, &status) && status.state == 'R';
    }
    if (directory != NULL)
        closedir(directory);
    return is_running;
}

int process_reading_take(pid_t pid, struct process_reading *ret_reading, struct reason *ret_reason)
{
    struct process_reading reading;
    struct process_status status;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (process_cpu_time(pid, &reading.cpu_time_s) != 0 || !read_process_status("/proc", pid, &status))
        return reason_set(ret_reason, "process %ld has ended", (long)pid);
    reading.at_s = seconds_of(&now);
    reading.state = has_running_thread(pid) ? 'R' : status.state;
    *ret_reading = reading;
    return 0;
}

enum process_activity process_activity_of_state(char state)
{
    switch (state) {
    case 0:
        return ACTIVITY_UNKNOWN;
    case 'R':
        return ACTIVITY_COMPUTING;
    case 'T':
    case 't':
        return ACTIVITY_STOPPED;
    case 'Z':
    case 'X':
        return ACTIVITY_ENDED;
    default:
        return ACTIVITY_SLEEPING;
    }
}

enum process_activity process_activity_between(const struct process_reading *first,
                                               const struct process_reading *second)
{
    const enum process_activity activity = process_activity_of_state(second->state);
    if (activity != ACTIVITY_SLEEPING || first == NULL)
        return activity;
    const double elapsed_s = second->at_s - first->at_s;
    return second->cpu_time_s - first->cpu_time_s > computing_share * elapsed_s ? ACTIVITY_COMPUTING : activity;
}

bool process_has_run(const struct process_reading *first, const struct process_reading *second)
{
    return process_activity_of_state(second->state) != ACTIVITY_COMPUTING ||
           second->cpu_time_s - first->cpu_time_s >= least_run_s;
}

bool process_has_run_since(pid_t pid, const struct process_reading *first)
{
    struct process_reading now = {.state = 0};
    struct reason reason;
    if (process_cpu_time(pid, &now.cpu_time_s) != 0 || now.cpu_time_s - first->cpu_time_s >= least_run_s)
        return true;
    return process_reading_take(pid, &now, &reason) != 0 || process_has_run(first, &now);
}

const char *describe_activity(enum process_activity activity)
{
    static const char *const names[] = {
        [ACTIVITY_UNKNOWN] = "",        [ACTIVITY_COMPUTING] = "computing", [ACTIVITY_SLEEPING] = "sleeping",
        [ACTIVITY_STOPPED] = "stopped", [ACTIVITY_ENDED] = "ended",
    };
    return names[activity];
}
