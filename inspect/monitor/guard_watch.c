/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and judges the MPI jobs that a command has started.
 */
#include "monitor/guard_watch.h"

#include "analysis/analysis.h"
#include "base/allocation.h"
#include "base/monotonic_clock.h"
#include "collect/job_processes.h"
#include "discover/found_jobs.h"
#include "job/job_identity.h"
#include "job/sample_job.h"
#include "render/text/render_why.h"
#include "snapshot/snapshot.h"
#include "snapshot/snapshot_handles.h"
#include "text/printed_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Between the two samples of the verdict. */
static const double interval_s = 0.5;

static bool is_guarded(const struct guard_job *guarded, const struct found_job *found)
{
    for (size_t i = 0; i < found->rank_count; i++)
        if (guard_job_has(guarded, found->ranks[i].pid))
            return true;
    return false;
}

static void take_job(const struct guard_job *guarded, const struct found_job *found, const struct job *job,
                     struct guard_deaths *deaths, struct guard_look *look, struct reason *ret_reason)
{
    guard_reading_add(&look->reading, job);
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->reason == NULL)
            guard_deaths_watch(deaths, process->pid, process->rank, found->launcher_pid == guarded->launcher);
        else if (look->reading.process_count == 0)
            reason_set(ret_reason, "rank %d: %s", process->rank, process->reason);
    }
}

void guard_watch_read(const struct dll *dll, const struct guard_job *guarded, struct guard_deaths *deaths,
                      struct guard_look *ret_look, struct reason *ret_reason)
{
    const struct collect_plan plan = {.depth = COLLECT_SAMPLE};
    struct guard_look look = {.reading.at_s = monotonic_s()};
    struct found_jobs found = find_jobs(dll, ANY_USER);
    for (size_t i = 0; i < found.count; i++) {
        if (!is_guarded(guarded, &found.items[i]))
            continue;
        look.jobs = array_append(look.jobs, &look.job_count, sizeof *look.jobs);
        struct job *job = &look.jobs[look.job_count - 1];
        read_found_job(dll, &found.items[i], false, &plan, job);
        take_job(guarded, &found.items[i], job, deaths, &look, ret_reason);
    }
    found_jobs_clear(&found);
    *ret_look = look;
}

bool guard_look_has(const struct guard_look *look, pid_t pid)
{
    for (size_t i = 0; i < look->reading.process_count; i++)
        if (look->reading.processes[i].pid == pid)
            return true;
    return false;
}

void guard_look_clear(struct guard_look *look)
{
    for (size_t i = 0; i < look->job_count; i++)
        job_clear(&look->jobs[i]);
    free(look->jobs);
    guard_reading_clear(&look->reading);
    *look = (struct guard_look){.job_count = 0};
}

static void save(FILE *stream, struct job *job, const char *path)
{
    struct reason reason;
    if (snapshot_write(path, job, &reason) == 0)
        print_line(stream, "mpilens guard: saved; inspect with: mpilens why %s", path);
    else
        print_line(stream, "mpilens guard: no snapshot: %s", reason.text);
}

static void judge(FILE *stream, struct job *job, double patience_s, const char *snapshot)
{
    const struct render_options options = {.color = isatty(STDERR_FILENO) && getenv("NO_COLOR") == NULL};
    struct analysis_options how = analysis_default_options();
    struct analysis analysis;
    if (how.patience_s > patience_s)
        how.patience_s = patience_s;
    analyze(job, &how, &analysis);
    render_why_text(stream, job, &analysis, &options);
    analysis_clear(&analysis);
    if (snapshot != NULL)
        save(stream, job, snapshot);
}

void guard_watch_judge(FILE *stream, const struct dll *dll, const struct guard_job *guarded, double patience_s,
                       const char *snapshot)
{
    int number = 0;
    struct site_cache sites = {0};
    struct found_jobs found = find_jobs(dll, ANY_USER);
    for (size_t i = 0; i < found.count; i++) {
        if (!found.items[i].has_runtime || !is_guarded(guarded, &found.items[i]))
            continue;
        char *target = format_text("%ld", (long)found.items[i].ranks[0].pid);
        char *path = snapshot == NULL ? NULL
                     : ++number > 1   ? format_text("%s.%d", snapshot, number)
                                      : copy_text(snapshot);
        const struct job_request request = {
            .targets = &target,
            .target_count = 1,
            .stacks = true,
            .plan = {
                .depth = COLLECT_ALL, .more = snapshot_ask_handles, .context = &sites, .is_recorded = path != NULL}};
        struct job job;
        struct reason reason;
        if (sample_job(dll, &request, 2, interval_s, &job, &reason) == EXIT_GOOD) {
            judge(stream, &job, patience_s, path);
            job_clear(&job);
        } else {
            print_line(stream, "mpilens guard: no verdict: %s", reason.text);
        }
        free(path);
        free(target);
    }
    found_jobs_clear(&found);
    site_cache_clear(&sites);
}
