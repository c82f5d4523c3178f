/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens list: lists the MPI jobs of this host, or the one that is named.
 */
#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "job/job.h"
#include "render/json/render_json.h"
#include "render/machine/machine.h"
#include "render/text/render_text.h"
#include "stack/stack.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char description[] =
    "List the MPI jobs of this user on this host (of all users when run as root), one line each.";

static const char more[] =
    "Pass the PID shown to other verbs. RANKS are the ranks on this host, out of all ranks of the job. Below the "
    "list, ranks that could not be read are listed with the reason.\n\n"
    "With --ended, list the jobs whose ranks were started with 'mpilens run' and have died or left without "
    "MPI_Finalize, the last one first. Other verbs take the PID of any of their ranks.\n\n"
    "With TARGET (a PID, core files or a snapshot, as in 'mpilens show'), only that job is listed.\n\n"
    "Exit status: 0 whether or not there are jobs, 2 wrong usage, 3 the debugger library is missing, or TARGET cannot "
    "be read.";

/* Metrics also count calls. */
static enum collect_depth depth_of(const struct options *options)
{
    return options->form == FORM_METRICS ? COLLECT_SAMPLE : COLLECT_PROCESS;
}

static int render(const struct options *options, const struct job *jobs, size_t count)
{
    if (options->form == FORM_TEXT && !options->no_pager)
        pager_begin();
    const int result = options->form == FORM_JSON      ? render_list_json(stdout, jobs, count, &options->render)
                       : options->form == FORM_METRICS ? machine_metrics_write(stdout, jobs, count)
                                                       : render_list_text(stdout, jobs, count, &options->render);
    pager_end();
    if (result != 0)
        perror("mpilens: standard output");
    return result;
}

/* Those that have any of the ranks to be shown. */
static enum exit_status render_jobs_of_ranks(const struct options *options, const struct job *jobs, size_t count)
{
    struct job *shown = allocate((count + 1) * sizeof *shown);
    size_t shown_count = 0;
    for (size_t i = 0; i < count; i++)
        if (has_shown_rank(&jobs[i], &options->render.ranks))
            shown[shown_count++] = jobs[i];
    for (size_t i = 0; i < shown_count; i++)
        say_launch_problem(&shown[i]);
    enum exit_status status = EXIT_UNREADABLE;
    if (count > 0 && shown_count == 0)
        print_line(stderr, "mpilens: no job of this host has rank %s", options->rank_text);
    else if (render(options, shown, shown_count) == 0)
        status = EXIT_GOOD;
    free(shown);
    return status;
}

/* A launcher may have its ranks elsewhere. */
static void tell_none(const struct found_jobs *found)
{
    struct process_status launcher;
    struct reason reason;
    if (found->launcher != 0 && read_process_status("/proc", found->launcher, &launcher)) {
        launcher_reason_of(found->launcher, launcher.name, &reason);
        print_line(stderr, "mpilens: no rank of an MPI job on this host: %s", reason.text);
    } else {
        print_line(stderr, "mpilens: no MPI job of this user on this host");
    }
}

static enum exit_status list_all(const struct options *options, const struct dll *dll)
{
    const struct collect_plan plan = {.depth = depth_of(options)};
    struct found_jobs found = find_jobs(dll, geteuid() == 0 ? ANY_USER : geteuid());
    struct job *jobs = allocate(found.count * sizeof *jobs);
    for (size_t i = 0; i < found.count; i++)
        read_found_job(dll, &found.items[i], false, &plan, &jobs[i]);
    for (size_t i = 0; i < found.count; i++)
        job_doubt_silence(&jobs[i], false);
    if (options->form == FORM_TEXT && found.count == 0)
        tell_none(&found);
    const enum exit_status status = render_jobs_of_ranks(options, jobs, found.count);
    for (size_t i = 0; i < found.count; i++)
        job_clear(&jobs[i]);
    free(jobs);
    return status;
}

enum { MOST_ENDED_JOBS = 20 };

static enum exit_status list_ended(const struct options *options, const struct dll *dll)
{
    const struct ended_choice choice = {.most = MOST_ENDED_JOBS};
    const struct job_request request = {.plan.depth = COLLECT_PROCESS};
    struct job *jobs = allocate(MOST_ENDED_JOBS * sizeof *jobs);
    struct box_targets *boxes = NULL;
    const size_t found = ended_jobs_find(&choice, &boxes);
    size_t count = 0;
    for (size_t i = 0; i < found; i++) {
        struct reason reason;
        if (read_boxes(dll, &request, &boxes[i], &jobs[count], &reason) == EXIT_GOOD)
            count++;
        else
            print_reason(stderr, &reason);
    }
    if (options->form == FORM_TEXT && found == 0)
        print_line(stderr, "mpilens: no job that was started with 'mpilens run' has ended with an error");
    const enum exit_status status = render_jobs_of_ranks(options, jobs, count);
    for (size_t i = 0; i < count; i++)
        job_clear(&jobs[i]);
    free(jobs);
    return status;
}

static enum exit_status list_named(struct options *options, const struct dll *dll, struct reason *ret_reason)
{
    enum exit_status status = named_target_find(dll, options, ret_reason);
    const struct job_request request = {.targets = options->targets,
                                        .target_count = options->target_count,
                                        .may_have_ended = true,
                                        .stop = options->stop,
                                        .stacks_suffice = true,
                                        .plan.depth = depth_of(options)};
    struct job job;
    if (status == EXIT_GOOD)
        status = read_job(dll, &request, &job, ret_reason);
    if (status != EXIT_GOOD)
        return status;
    say_launch_problem(&job);
    job_doubt_silence(&job, false);
    if (check_shown_ranks(&job, &options->render.ranks, ret_reason) != 0 || render(options, &job, 1) != 0)
        status = EXIT_UNREADABLE;
    job_clear(&job);
    return status;
}

static enum exit_status list(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    return options->ended              ? list_ended(options, dll)
           : options->target_count > 0 ? list_named(options, dll, ret_reason)
                                       : list_all(options, dll);
}

enum exit_status verb_list(int argument_count, char **arguments)
{
    static const struct job_verb verb = {.description = description,
                                         .more = more,
                                         .options = OPTIONS_TARGETS | OPTIONS_RANKS | OPTIONS_METRICS,
                                         .keeps_target = true,
                                         .run = list};
    return job_verb_run(&verb, argument_count, arguments);
}
