/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens watch: prints one line per moment with one character for each rank.
 */
#include "base/allocation.h"
#include "base/process_files.h"
#include "discover/launch_check.h"
#include "job/read_job.h"
#include "monitor/watch.h"
#include "monitor/watch_render.h"
#include "stack/places.h"
#include "text/printed_line.h"
#include "verbs/options.h"
#include "verbs/shown_ranks.h"
#include "verbs/verbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char description[] =
    "Show at regular intervals what the ranks of a job are doing, until it ends: one line per moment, one character "
    "per rank.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun), which stands for the whole job. Core "
    "files and snapshots give one line. Without TARGET, the only job of this user on this host is meant.\n\n"
    "%s\n"
    "The ruler 0....5....1....5.... counts the ranks shown. On a terminal that is too narrow, a moment takes several "
    "lines; each line after the first begins with the number of its first rank. In a file, a moment is always one "
    "line. With --json, each line is one JSON document.\n\n"
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
    const time_t now = time(NULL);
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

static enum exit_status watch(const struct dll *dll, const struct options *options)
{
    struct job_request request = {.targets = options->targets,
                                  .target_count = options->target_count,
                                  .stop = options->stop,
                                  .plan.depth = COLLECT_SAMPLE};
    struct watch_page page = {.ranks = &options->render.ranks};
    struct job before = {0}, job;
    struct reason reason;
    enum exit_status status = read_job(dll, &request, &job, &reason);
    if (status == EXIT_GOOD && check_shown_ranks(&job, page.ranks, &reason) != 0) {
        job_clear(&job);
        status = EXIT_UNREADABLE;
    }
    if (status != EXIT_GOOD) {
        print_line(stderr, "mpilens: %s", reason.text);
        return status;
    }
    say_launch_problem(&job);
    const pid_t pid = representative(&job);
    char *target = format_text("%ld", (long)pid);
    if (request.target_count < 2) { /* not another job when this one has ended */
        request.targets = &target;
        request.target_count = 1;
    }
    double next_s = seconds_of(CLOCK_MONOTONIC);
    for (uint64_t shown = 1; status == EXIT_GOOD; shown++) {
        job_note_activity(&job);
        if (show(options, &page, &job, shown > 1 ? &before : NULL) != 0)
            status = EXIT_UNREADABLE;
        job_clear(&before);
        before = job;
        if (pid == 0 || status != EXIT_GOOD || (options->count > 0 && shown >= options->count))
            break;
        bool was_read = false;
        do {
            next_s += options->interval_s;
            wait_until(next_s);
        } while (!process_has_ended("/proc", pid) && !(was_read = read_job(dll, &request, &job, &reason) == EXIT_GOOD));
        if (!was_read)
            break;
    }
    job_clear(&before);
    free(target);
    return status;
}

enum exit_status verb_watch(int argument_count, char **arguments)
{
    struct options options;
    struct reason reason;
    struct dll dll;
    char *help = format_text(more, watch_legend);
    options_parse(argument_count, arguments, OPTIONS_TARGETS | OPTIONS_WATCH, description, help, &options);
    enum exit_status status = EXIT_UNREADABLE;
    if (dll_open(NULL, &dll, &reason) != 0) {
        print_line(stderr, "mpilens: %s", reason.text);
    } else {
        status = watch(&dll, &options);
        dll_close(&dll);
    }
    options_clear(&options);
    free(help);
    return status;
}
