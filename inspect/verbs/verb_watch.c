/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens watch: prints one line per moment with one character for each rank.
 */
#include "base/base.h"
#include "monitor/monitor.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <math.h>
#include <stdio.h>
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
    "Of ranks without the runtime, the call stacks are read for each line, which stops each of them for a moment.\n\n"
    "Exit status: 0 the job has ended, or was shown --count times; 2 wrong usage; 3 nothing could be read.\n\n"
    "Examples:\n"
    "  mpilens watch\n"
    "  mpilens watch 4711 --interval 0.2 --rank 0-63";

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
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
                           ? watch_render_json(stdout, &options->render.ranks, job, before, now_s())
                           : watch_render(stdout, page, job, before, clock);
    if (result != 0)
        perror("mpilens: standard output");
    return result;
}

static enum exit_status watch(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    struct job_moments moments;
    struct watch_page page = {.ranks = &options->render.ranks};
    struct job before = {0}, job;
    struct reason reason;
    enum exit_status status = job_moments_begin(&moments, dll, options, &job, ret_reason);
    if (status != EXIT_GOOD)
        return status;
    double next_s = monotonic_s();
    struct watch_findings *findings = watch_findings_begin(options->on_finding);
    const struct arena_mark texts = arena_mark();
    for (uint64_t shown = 1; status == EXIT_GOOD; shown++) {
        enum job_moment moment = JOB_MOMENT_NONE;
        arena_release(texts); /* of the moment before */
        if (show(options, &page, &job, shown > 1 ? &before : NULL) != 0)
            status = EXIT_UNREADABLE;
        watch_findings_judge(findings, dll, options, &moments.request);
        job_clear(&before);
        before = job;
        if (moments.is_constant || status != EXIT_GOOD || (options->count > 0 && shown >= options->count))
            break;
        while (moment == JOB_MOMENT_NONE) {
            next_s = fmax(next_s + options->interval_s, monotonic_s());
            job_verb_wait_until(next_s);
            arena_release(texts);
            moment = job_moments_read(&moments, &job, &reason);
        }
        if (moment != JOB_MOMENT_READ) {
            if (moment == JOB_MOMENT_LOST)
                *ret_reason = reason;
            break;
        }
    }
    watch_findings_end(findings);
    job_clear(&before);
    return status;
}

enum exit_status verb_watch(int argument_count, char **arguments)
{
    const struct job_verb verb = {.description = description,
                                  .more = arena_text(more, watch_legend),
                                  .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_PACE | OPTIONS_WATCH |
                                             OPTIONS_ON_FINDING,
                                  .run = watch};
    return job_verb_run(&verb, argument_count, arguments);
}
