/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and judges the MPI jobs that a command has started.
 */
#include "monitor/monitor_internal.h"

#include "analysis/analysis.h"
#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "gather/gather.h"
#include "job/job.h"
#include "render/text/render_text.h"
#include "snapshot/snapshot.h"
#include "text/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Between the two samples of the verdict. */
static const double interval_s = 0.5;

static bool is_guarded(const struct guard_job *guarded, const struct found_job *found)
{
    for (size_t i = 0; i < found->rank_count; i++)
        if (guard_job_has(guarded, found->ranks[i].pid))
            return true;
    return false;
}

/* Ranks of it run elsewhere, or have not begun. */
static bool is_spread(const struct found_job *found)
{
    return found->size > 0 && found->rank_count < (size_t)found->size;
}

static void note_spread(struct guard_hosts *hosts, const struct found_job *found, const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->reason != NULL || process->job_identity[0] == '\0')
            continue;
        guard_hosts_note(hosts, process->job_identity, found->ranks[0].pid);
        return;
    }
}

static void take_job(const struct guard_job *guarded, const struct found_job *found, const struct job *job,
                     struct guard_deaths *deaths, struct guard_look *look, struct reason *ret_reason)
{
    guard_reading_add(&look->reading, job);
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->has_ended)
            continue;
        if (process->reason == NULL)
            guard_deaths_watch(deaths, process->pid, process->rank, found->launcher_pid == guarded->launcher);
        else if (look->reading.process_count == 0)
            reason_set(ret_reason, "rank %d: %s", process->rank, process->reason);
    }
}

void guard_watch_read(const struct dll *dll, const struct guard_job *guarded, struct guard_deaths *deaths,
                      struct guard_hosts *hosts, struct guard_look *ret_look, struct reason *ret_reason)
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
        if (hosts != NULL && is_spread(&found.items[i]))
            note_spread(hosts, &found.items[i], job);
    }
    *ret_look = look;
}

/* Engines of this guard may be launchers, too, in sessions of their own. */
pid_t guard_watch_find_launcher(const struct guard_job *guarded)
{
    DIR *directory = opendir("/proc");
    const struct dirent *entry;
    pid_t launcher = 0;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        struct process_status status;
        const pid_t pid = (pid_t)atol(entry->d_name);
        if (pid > 0 && (launcher == 0 || pid < launcher) && read_process_status("/proc", pid, &status) &&
            is_launcher(status.name) && getsid(pid) == getsid(0) && guard_job_has(guarded, pid))
            launcher = pid;
    }
    if (directory != NULL)
        closedir(directory);
    return launcher;
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
    arena_clear(&look->reading.arena);
    *look = (struct guard_look){.job_count = 0};
}

static void save(FILE *stream, struct job *job, const char *path, mode_t mode)
{
    struct reason reason;
    if (snapshot_write(path, mode, job, &reason) == 0) {
        print_line(stream, "mpilens guard: saved; inspect with: mpilens why %s", path);
        guard_headline_note_file(path);
    } else {
        print_line(stream, "mpilens guard: no snapshot: %s", reason.text);
    }
}

static void judge(FILE *stream, struct job *job, const struct guard_verdict *verdict, const char *snapshot, int number)
{
    const struct render_options options = guard_render_options(verdict->output);
    struct analysis_options how = analysis_default_options();
    struct analysis analysis;
    if (how.patience_s > verdict->patience_s)
        how.patience_s = verdict->patience_s;
    analyze(job, &how, &analysis);
    struct arena *outer = arena_use(&analysis.texts);
    if (analysis.findings.count > 0) {
        guard_headline_note_finding(&analysis.findings.items[0]);
    } else {
        guard_headline_note("no rank is known to be at fault");
        print_line(stream, "mpilens guard: no rank is known to be at fault%s%s; this is what the ranks do:",
                   analysis.remark != NULL ? ": " : "", analysis.remark != NULL ? analysis.remark : "");
        render_show_text(stream, job, &options);
    }
    guard_output_tell(stream, verdict->output, job, &analysis, number);
    arena_use(outer);
    analysis_clear(&analysis);
    if (snapshot != NULL)
        save(stream, job, snapshot, verdict->snapshot_mode);
}

/* The job on all its hosts. False: it is not known to have others, or none of them has answered, which is told. */
static bool read_wide(FILE *stream, const struct dll *dll, const struct host_reach *reach,
                      const struct job_request *request, struct job *ret_job)
{
    const struct wide_job_request asked = {
        .targets = request->targets, .target_count = request->target_count, .hosts = reach->hosts};
    struct wide_job wide;
    struct reason reason;
    if (reach->here || wide_job_find(dll, &asked, &wide, &reason) != WIDE_JOB_HOSTS)
        return false;
    const struct gather_request gathered = {.hosts = &wide.where.hosts,
                                            .identity = wide.identity,
                                            .slurm_job = wide.where.slurm_job,
                                            .slurm_components = wide.where.slurm_components,
                                            .engine = reach->engine,
                                            .engine_words = reach->engine_words,
                                            .timeout_s = reach->timeout_s,
                                            .ship = reach->ship,
                                            .interval_s = interval_s,
                                            .two_rounds = true,
                                            .stacks = true,
                                            .full = request->plan.is_recorded,
                                            .plan = request->plan,
                                            .rank_hosts = wide.rank_hosts,
                                            .rank_host_count = wide.rank_host_count};
    const enum exit_status status = gather_job(dll, &gathered, ret_job, &reason);
    if (status != EXIT_GOOD)
        print_line(stream, "mpilens guard: only this host is read: %s", reason.text);
    return status == EXIT_GOOD;
}

/* `process` stands for the job. */
static void judge_job(FILE *stream, const struct dll *dll, pid_t process, bool is_wide, struct site_cache *sites,
                      const struct guard_verdict *verdict, const char *snapshot, int number)
{
    char pid[32], *target = pid;
    struct job job;
    struct reason reason;
    snprintf(pid, sizeof pid, "%ld", (long)process);
    const struct job_request request = {
        .targets = &target,
        .target_count = 1,
        .stacks = true,
        .plan = {.depth = COLLECT_ALL,
                 .more = snapshot != NULL ? snapshot_ask_handles : NULL, /* parts without memory have no answers */
                 .context = sites,
                 .is_recorded = snapshot != NULL}};
    if ((is_wide && read_wide(stream, dll, verdict->reach, &request, &job)) ||
        sample_job(dll, &request, &(struct sample_plan){.samples = 2, .interval_s = interval_s}, &job, &reason) ==
            EXIT_GOOD) {
        judge(stream, &job, verdict, snapshot, number);
        job_clear(&job);
    } else {
        print_line(stream, "mpilens guard: no verdict: %s", reason.text);
    }
}

bool guard_watch_judge(FILE *stream, const struct dll *dll, const struct guard_job *guarded,
                       const struct guard_verdict *verdict)
{
    int number = 0;
    struct site_cache sites = {0};
    struct found_jobs found = find_jobs(dll, ANY_USER);
    for (size_t i = 0; i < found.count; i++) {
        if (!found.items[i].has_runtime || !is_guarded(guarded, &found.items[i]))
            continue;
        number++;
        char *path = verdict->snapshot == NULL ? NULL
                     : number > 1              ? format_text("%s.%d", verdict->snapshot, number)
                                               : copy_text(verdict->snapshot);
        judge_job(stream, dll, found.items[i].ranks[0].pid, is_spread(&found.items[i]), &sites, verdict, path, number);
        free(path);
    }
    const pid_t launcher = number == 0 && !verdict->reach->here ? guard_watch_find_launcher(guarded) : 0;
    if (launcher != 0)
        judge_job(stream, dll, launcher, true, &sites, verdict, verdict->snapshot, 1);
    site_cache_clear(&sites);
    return number > 0 || launcher != 0;
}
