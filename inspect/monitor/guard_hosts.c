/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts and hears the processes that listen to other hosts.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OF_ALL, OF_LOST };

/* An engine is given 3 s to end (engine_run.c). */
static const double most_end_s = 4;

/* Between two attempts: to find the hosts of a job that is starting, the longer the more often there were none; and to
 * reach one that was lost. */
static const double first_pause_s = 1, most_pause_s = 60, least_retry_s = 2, retries_of_timeout = 4;

void guard_hosts_begin_look(struct guard_hosts *hosts)
{
    for (size_t i = 0; i < hosts->job_count; i++)
        hosts->jobs[i].is_here = false;
}

static bool is_job(const struct watched_job *job, const char *identity, pid_t process)
{
    if (identity == NULL || job->identity == NULL)
        return identity == job->identity && job->process == process;
    return strcmp(identity, job->identity) == 0;
}

void guard_hosts_note(struct guard_hosts *hosts, const char *identity, pid_t process)
{
    for (size_t i = 0; i < hosts->job_count; i++)
        if (is_job(&hosts->jobs[i], identity, process)) {
            hosts->jobs[i].is_here = true;
            hosts->jobs[i].process = process;
            return;
        }
    hosts->jobs = array_append(hosts->jobs, &hosts->job_count, sizeof *hosts->jobs);
    hosts->jobs[hosts->job_count - 1] = (struct watched_job){.identity = identity != NULL ? copy_text(identity) : NULL,
                                                             .process = process,
                                                             .pause_s = first_pause_s,
                                                             .is_here = true};
}

static void end_watch(struct watched_job *job, int number)
{
    if (job->is_running[number])
        host_watch_end(&job->watches[number]);
    job->is_running[number] = false;
}

static void clear_job(struct watched_job *job)
{
    for (int i = 0; i < WATCHES_OF_JOB; i++)
        end_watch(job, i);
    host_marks_clear(&job->marks);
    free(job->identity);
}

static void hear(struct watched_job *job, int number)
{
    struct host_message message;
    int result = 0;
    while (job->is_running[number] && (result = host_watch_read(&job->watches[number], &message)) > 0)
        host_marks_take(&job->marks, &message);
    if (result < 0)
        end_watch(job, number);
}

static void start(const struct guard_hosts *hosts, struct watched_job *job, int number)
{
    const struct host_watch_plan plan = {.dll = hosts->dll,
                                         .reach = hosts->reach,
                                         .process = job->process,
                                         .lost = number == OF_LOST ? &job->marks : NULL,
                                         .interval_s = hosts->interval_s};
    struct reason reason;
    job->is_running[number] = host_watch_begin(&plan, &job->watches[number], &reason) == 0;
}

/* A job that is starting may not have its hosts yet; lost hosts may come back. */
static void start_more(const struct guard_hosts *hosts, struct watched_job *job)
{
    const double now_s = monotonic_s();
    const int number = job->marks.is_named ? OF_LOST : OF_ALL;
    if (now_s < job->next_s || job->is_running[number] ||
        (number == OF_LOST && (!job->is_here || !host_marks_has_lost(&job->marks))))
        return;
    start(hosts, job, number);
    job->next_s = now_s + job->pause_s;
    job->pause_s = number == OF_ALL ? fmin(job->pause_s * 2, most_pause_s)
                                    : fmin(fmax(hosts->timeout_s / retries_of_timeout, least_retry_s), most_pause_s);
}

/* Jobs that are over, and launchers whose ranks have appeared here. */
static bool is_past(const struct watched_job *job)
{
    return !job->is_here && (job->identity == NULL || !job->marks.is_named || host_marks_is_over(&job->marks));
}

void guard_hosts_end_look(struct guard_hosts *hosts)
{
    size_t kept = 0;
    for (size_t i = 0; i < hosts->job_count; i++) {
        struct watched_job *job = &hosts->jobs[i];
        for (int number = 0; number < WATCHES_OF_JOB; number++)
            hear(job, number);
        if (is_past(job)) {
            clear_job(job);
            continue;
        }
        start_more(hosts, job);
        hosts->jobs[kept++] = *job;
    }
    hosts->job_count = kept;
}

size_t guard_hosts_count_ranks(const struct guard_hosts *hosts)
{
    size_t count = 0;
    for (size_t i = 0; i < hosts->job_count; i++)
        count += host_marks_count_ranks(&hosts->jobs[i].marks);
    return count;
}

bool guard_hosts_is_waiting(const struct guard_hosts *hosts)
{
    for (size_t i = 0; i < hosts->job_count; i++)
        if (hosts->jobs[i].is_running[OF_ALL] && host_marks_is_waiting(&hosts->jobs[i].marks))
            return true;
    return false;
}

double guard_hosts_quiet_time(const struct guard_hosts *hosts, const struct quiet_span *own)
{
    const double now_s = monotonic_s();
    struct quiet_span span = own != NULL ? *own : (struct quiet_span){.since_s = 0, .until_s = now_s};
    if (guard_hosts_is_waiting(hosts) || (own == NULL && guard_hosts_count_ranks(hosts) == 0))
        return 0;
    for (size_t i = 0; i < hosts->job_count; i++)
        host_marks_narrow(&hosts->jobs[i].marks, &span);
    return fmax(span.until_s - span.since_s, 0);
}

const struct marked_host *guard_hosts_next_lost(struct guard_hosts *hosts)
{
    for (size_t i = 0; i < hosts->job_count; i++)
        for (size_t j = 0; j < hosts->jobs[i].marks.count; j++) {
            struct marked_host *host = &hosts->jobs[i].marks.items[j];
            if (!host->is_lost || host->was_told)
                continue;
            host->was_told = true;
            return host;
        }
    return NULL;
}

/* For the end of processes that were asked to end, and take seconds at most. Closes their pidfds. */
static void await_ends(int *processes, size_t count)
{
    const double until_s = monotonic_s() + most_end_s;
    for (size_t i = 0; i < count; i++) {
        struct pollfd end = {.fd = processes[i], .events = POLLIN};
        if (end.fd < 0)
            continue;
        poll(&end, 1, (int)(fmax(until_s - monotonic_s(), 0) * 1000));
        close(processes[i]);
    }
    free(processes);
}

void guard_hosts_clear(struct guard_hosts *hosts)
{
    int *processes = NULL;
    size_t count = 0;
    for (size_t i = 0; i < hosts->job_count; i++)
        for (int number = 0; number < WATCHES_OF_JOB; number++)
            if (hosts->jobs[i].is_running[number]) {
                processes = array_append(processes, &count, sizeof *processes);
                processes[count - 1] = fcntl(hosts->jobs[i].watches[number].process, F_DUPFD_CLOEXEC, 0);
            }
    for (size_t i = 0; i < hosts->job_count; i++)
        clear_job(&hosts->jobs[i]);
    free(hosts->jobs);
    *hosts = (struct guard_hosts){.job_count = 0};
    await_ends(processes, count);
}
