/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens watch: prints one line per moment with one character for each rank.
 */
#include "base/base.h"
#include "discover/discover.h"
#include "job/job.h"
#include "monitor/monitor.h"
#include "stack/stack.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char description[] =
    "Show at regular intervals what the ranks of a job are doing, until it ends: one line per reading, one character "
    "per rank.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun) or the name of the program, any of which "
    "stands for the whole job. Core "
    "files and snapshots give one line. Without TARGET, the only job of this user on this host is meant.\n\n"
    "%s\n"
    "The ruler 0....5....1....5.... counts the ranks shown. On a terminal that is too narrow, a moment takes several "
    "lines; each line after the first begins with the number of its first rank. In a file, a moment is always one "
    "line. With --json, each line is one JSON document.\n\n"
    "A job on several hosts is read once for each line, on all of them: that takes the time of reaching them, also "
    "where --interval is shorter. Ranks of hosts that do not answer are shown as *.\n\n"
    "With --on-finding, the job is judged now and then as by 'mpilens why'; each new finding is one line on standard "
    "error, and the command is run for it.\n\n"
    "Exit status: 0 the job has ended, or was shown --count times; 2 wrong usage; 3 nothing could be read.\n\n"
    "Examples:\n"
    "  mpilens watch\n"
    "  mpilens watch 4711 --interval 0.2 --rank 0-63";

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void wait_until(double end_s)
{
    const struct timespec end = {.tv_sec = (time_t)end_s, .tv_nsec = (long)((end_s - (double)(time_t)end_s) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        continue;
}

/* A process that stands for the whole job as long as that lasts; 0: it was not read from processes. */
static pid_t representative(const struct job *job)
{
    if (job->snapshot != NULL || job->part_count > 0)
        return 0;
    if (job->launcher_pid > 0)
        return job->launcher_pid;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].core == NULL && job->processes[i].reason == NULL)
            return job->processes[i].pid;
    return 0;
}

static int show(const struct options *options, struct watch_page *page, const struct job *job, const struct job *before)
{
    char clock[sizeof "00:00:00"] = "";
    const time_t now = job->snapshot != NULL ? (time_t)job->snapshot_taken : time(NULL);
    struct tm local;
    page->width = terminal_width(stdout);
    if (localtime_r(&now, &local) != NULL)
        strftime(clock, sizeof clock, "%H:%M:%S", &local);
    const int result = options->form == FORM_JSON
                           ? watch_render_json(stdout, &options->render.ranks, job, before, seconds_of(CLOCK_REALTIME))
                           : watch_render(stdout, page, job, before, clock);
    if (result != 0)
        perror("mpilens: standard output");
    return result;
}

/* Where each moment of the job comes from. */
struct source {
    const struct dll *dll;
    const struct options *options;
    struct job_request request;
    bool is_wide; /* from all hosts of the job */
    struct wide_job wide;
    size_t lost; /* hosts that did not answer last */
};

static const struct host_reading one_round = {.two_rounds = false};

static enum exit_status read_moment(struct source *source, struct job *ret_job, struct reason *ret_reason)
{
    return source->is_wide ? read_wide_job(source->dll, source->options, &source->request, &one_round, &source->wide,
                                           ret_job, &source->lost, ret_reason)
                           : read_job(source->dll, &source->request, ret_job, ret_reason);
}

struct moment {
    struct source *source;
    struct job *job;
    struct reason *reason;
    enum exit_status status;
};

static void read_here(void *context)
{
    struct moment *moment = context;
    moment->status = read_job(moment->source->dll, &moment->source->request, moment->job, moment->reason);
}

/* The first one may start the command over if a process of the host does not answer; the lines already shown stay. */
static enum exit_status read_another(struct source *source, struct job *ret_job, struct reason *ret_reason)
{
    struct moment moment = {.source = source, .job = ret_job, .reason = ret_reason, .status = EXIT_UNREADABLE};
    if (source->is_wide || source->options->stop)
        return read_moment(source, ret_job, ret_reason);
    if (!blocked_read_leave_out(read_here, &moment))
        reason_set(ret_reason, "the memory of too many processes of this host does not answer");
    return moment.status;
}

static enum exit_status read_first(struct source *source, struct job *ret_job, struct reason *ret_reason)
{
    const enum wide_job_status found =
        find_hosts(source->dll, source->options, &source->request, &one_round, &source->wide, ret_reason);
    if (found == WIDE_JOB_ERROR)
        return EXIT_USAGE;
    source->is_wide = found == WIDE_JOB_HOSTS;
    const enum exit_status status = read_moment(source, ret_job, ret_reason);
    if (status != EXIT_GOOD || check_shown_ranks(ret_job, &source->options->render.ranks, ret_reason) == 0)
        return status;
    job_clear(ret_job);
    return EXIT_UNREADABLE;
}

/* Whether there was another moment. None: the job has ended, or its hosts no longer answer. */
static bool read_next(struct source *source, pid_t representative, double *next_s, struct job *ret_job)
{
    struct reason reason;
    for (;;) {
        *next_s = fmax(*next_s + source->options->interval_s, seconds_of(CLOCK_MONOTONIC));
        wait_until(*next_s);
        if (representative != 0 && process_has_ended("/proc", representative))
            return false;
        if (read_another(source, ret_job, &reason) == EXIT_GOOD)
            return true;
        if (representative == 0) {
            if (source->lost > 0)
                print_reason(stderr, &reason);
            return false;
        }
    }
}

static enum exit_status watch(const struct dll *dll, const struct options *options)
{
    struct source source = {.dll = dll,
                            .options = options,
                            .request = {.targets = options->targets,
                                        .target_count = options->target_count,
                                        .stop = options->stop,
                                        .plan.depth = COLLECT_SAMPLE}};
    struct watch_page page = {.ranks = &options->render.ranks};
    struct job before = {0}, job;
    struct reason reason;
    enum exit_status status = read_first(&source, &job, &reason);
    if (status != EXIT_GOOD) {
        print_reason(stderr, &reason);
        wide_job_clear(&source.wide);
        return status;
    }
    if (source.lost > 0) /* that hosts are read one after the other changes nothing here */
        say_about_job(&job);
    else
        say_launch_problem(&job);
    const pid_t pid = source.is_wide ? 0 : representative(&job);
    char *target = format_text("%ld", (long)pid);
    if (pid != 0 && source.request.target_count < 2) { /* not another job when this one has ended */
        source.request.targets = &target;
        source.request.target_count = 1;
    }
    double next_s = seconds_of(CLOCK_MONOTONIC);
    struct watch_findings *findings = watch_findings_begin(options->on_finding);
    const struct arena_mark texts = arena_mark();
    for (uint64_t shown = 1; status == EXIT_GOOD; shown++) {
        arena_release(texts); /* of the moment before */
        job_note_activity(&job);
        if (show(options, &page, &job, shown > 1 ? &before : NULL) != 0)
            status = EXIT_UNREADABLE;
        watch_findings_judge(findings, dll, options, &source.request);
        job_clear(&before);
        before = job;
        if ((pid == 0 && !source.is_wide) || status != EXIT_GOOD || (options->count > 0 && shown >= options->count) ||
            !read_next(&source, pid, &next_s, &job))
            break;
    }
    watch_findings_end(findings);
    job_clear(&before);
    free(target);
    wide_job_clear(&source.wide);
    return status;
}

enum exit_status verb_watch(int argument_count, char **arguments)
{
    struct options options;
    struct reason reason;
    struct dll dll;
    char *help = format_text(more, watch_legend);
    options_parse(argument_count, arguments, OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_WATCH | OPTIONS_ON_FINDING,
                  description, help, &options);
    enum exit_status status = EXIT_UNREADABLE;
    if (dll_open(NULL, &dll, &reason) != 0) {
        print_reason(stderr, &reason);
    } else {
        status = named_target_find(&dll, &options, &reason);
        if (status == EXIT_GOOD)
            status = watch(&dll, &options);
        else
            print_reason(stderr, &reason);
        dll_close(&dll);
    }
    options_clear(&options);
    free(help);
    return status;
}
