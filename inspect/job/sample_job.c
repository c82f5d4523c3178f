/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job several times, with the interval in between.
 */

#include "base/base.h"
#include "job/job_internal.h"
#include "model/model.h"
#include "stack/stack.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* How much longer the job is watched when processes of it get no CPU time: the longer of the two. */
enum { MOST_MORE_INTERVALS = 20, MOST_MORE_SECONDS = 10 };

/* Turns that each process must have had. A rank's library may let another rank go on that has had its own turn
 * already: a single round proves nothing. */
enum { TURNS = 6 };

/* Between two readings one after the other. */
static const double least_interval_s = 0.05;

/* How long ranks that lack a processor are waited for, at least, where the user waits no longer. */
static const double cut_short_more_s = 1;

/* How often it is looked whether they have had some. */
static const double look_s = 0.01;

static bool is_alive(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (!job->processes[i].is_saved && job->processes[i].core == NULL && job->processes[i].target != NULL)
            return true;
    return false;
}

static void wait_between(double seconds)
{
    if (seconds <= 0)
        return;
    struct timespec left = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR && !cut_short_is_asked())
        continue;
}

/* Those who wait see how long it takes. */
static void wait_for_reading(double end_s)
{
    static const double step_s = 0.5;
    double left_s = end_s - monotonic_s();
    while (left_s > 0 && !cut_short_is_asked()) {
        progress_note("next reading in %.0f s", ceil(left_s));
        wait_between(fmin(left_s, step_s));
        left_s = end_s - monotonic_s();
    }
}

static bool wait_for_turn(const struct job *before, const struct process_reading *begin, double begin_s, double end_s)
{
    wait_for_reading(begin_s);
    bool has_run = job_has_had_turn(before, begin);
    if (!has_run)
        progress_note("ranks wait for a processor: they are given %.0f s more", ceil(end_s - monotonic_s()));
    while (!has_run && monotonic_s() < end_s && !cut_short_is_asked()) {
        wait_between(look_s);
        has_run = job_has_had_turn(before, begin);
    }
    return has_run;
}

/* A rank that others keep from running proves nothing by standing still: waits for the interval after `seen_s`, and on
 * until every process has had its turns. NULL: they had; else the processes that still waited for one when `before`
 * had been watched long enough: their at_s is not negative. The caller frees it. */
static struct process_reading *wait_for_turns(const struct job *before, double seen_s, double interval_s, double more_s)
{
    const double least_s = more_s > 0 ? more_s : MOST_MORE_SECONDS;
    const double end_s = seen_s + interval_s + fmax(MOST_MORE_INTERVALS * interval_s, least_s);
    for (int turn = 1; turn <= TURNS; turn++) {
        struct process_reading *begin = job_begin_turn(before);
        if (!wait_for_turn(before, begin, seen_s + interval_s * turn / TURNS, end_s)) {
            job_end_turn(before, begin);
            return begin;
        }
        free(begin);
    }
    return NULL;
}

/* Returns when the ranks of the first one were seen last (monotonic_s()): the time that the rest takes is of the
 * interval. */
static double see_first(struct job *before)
{
    job_note_activity(before);
    job_find_seen_threads(before); /* held processes run for a moment afterwards */
    return monotonic_s();
}

/* Looks up further facts about the first sample. */
static void finish_first(struct job *before)
{
    job_find_standing_still(before, NULL);
    job_find_spawned(before, NULL);
}

enum exit_status sample_job_first(const struct dll *dll, const struct job_request *request, struct job *ret_before,
                                  struct reason *ret_reason)
{
    struct job_request first = *request;
    first.plan = (struct collect_plan){.depth = COLLECT_SAMPLE};
    const enum exit_status status = read_job(dll, &first, ret_before, ret_reason);
    if (status == EXIT_GOOD) {
        see_first(ret_before);
        finish_first(ret_before);
    }
    return status;
}

/* Compares the last sample with the first one, of processes without tables as far as their places are found. `starved`:
 * as of wait_for_turns. */
static void compare(const struct job *before, const struct process_reading *starved, int samples, double interval_s,
                    struct job *job)
{
    job_find_spawned(job, before);
    job_find_other_world(job);
    progress_between(before, job, samples, interval_s);
    for (size_t i = 0; starved != NULL && i < before->process_count; i++) {
        const double seen_s = before->processes[i].read_at_s;
        if (starved[i].at_s >= 0)
            progress_unknown(&before->processes[i], monotonic_s() - (seen_s >= 0 ? seen_s : starved[i].at_s), job);
    }
}

void sample_job_compare(const struct job *before, const struct process_reading *starved, double interval_s,
                        struct job *job)
{
    if (job->part_count > 0)
        progress_between_rounds(before, job);
    else
        compare(before, starved, 2, interval_s, job);
}

/* Looks up further facts about the last sample. */
static void finish_last(const struct job *before, const struct job_request *request,
                        const struct process_reading *starved, int samples, double interval_s, struct job *job)
{
    job_resolve_completed_sites(job);
    job_find_standing_still(job, before);
    job_find_places(job, before, request->stacks);
    compare(before, starved, samples, interval_s, job);
}

enum exit_status sample_job_last(const struct dll *dll, const struct job_request *request, const struct job *before,
                                 double interval_s, struct job *ret_job, struct reason *ret_reason)
{
    struct process_reading *starved = wait_for_turns(before, monotonic_s() - interval_s, interval_s, 0);
    const enum exit_status status = read_job(dll, request, ret_job, ret_reason);
    if (status == EXIT_GOOD)
        finish_last(before, request, starved, 2, interval_s, ret_job);
    free(starved);
    return status;
}

static bool is_any_without_tables(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].lacks_tables)
            return true;
    return false;
}

/* Reads the job again at once. True: the findings are certain without the kernel's evidence, and *ret_job is read. */
static bool is_settled_at_once(const struct dll *dll, const struct job_request *request, const struct sample_plan *plan,
                               const struct job *before, double seen_s, struct job *ret_job)
{
    struct reason reason;
    struct job job;
    if (plan->is_settled == NULL || plan->samples != 2 || plan->interval_s <= least_interval_s ||
        is_any_without_tables(before))
        return false;
    struct process_reading *starved = wait_for_turns(before, seen_s, least_interval_s, plan->more_s);
    const bool is_read = starved == NULL && read_job(dll, request, &job, &reason) == EXIT_GOOD;
    free(starved);
    if (!is_read)
        return false;
    job_resolve_completed_sites(&job);
    compare(before, NULL, plan->samples, monotonic_s() - seen_s, &job);
    if (!plan->is_settled(&job, plan->context)) {
        job_clear(&job);
        return false;
    }
    job_find_places(&job, before, request->stacks);
    *ret_job = job;
    return true;
}

enum exit_status sample_job(const struct dll *dll, const struct job_request *request, const struct sample_plan *plan,
                            struct job *ret_job, struct reason *ret_reason)
{
    struct job before, job;
    struct job_request first = *request;
    const int samples = plan->samples;
    if (samples > 1)
        first.plan.depth = COLLECT_SAMPLE;
    enum exit_status status = read_job(dll, &first, &before, ret_reason);
    if (status != EXIT_GOOD)
        return status;
    if (samples < 2 || !is_alive(&before) || cut_short_take()) {
        if (samples > 1)
            job_resolve_sites(&before);
        job_resolve_completed_sites(&before);
        job_find_places(&before, NULL, request->stacks);
        job_find_spawned(&before, NULL);
        job_find_other_world(&before);
        progress_of_one(&before, plan->interval_s);
        *ret_job = before;
        return EXIT_GOOD;
    }
    double seen_s = see_first(&before);
    if (is_settled_at_once(dll, request, plan, &before, seen_s, ret_job)) {
        job_clear(&before);
        return EXIT_GOOD;
    }
    finish_first(&before);
    struct process_reading *starved = NULL;
    double interval_s = plan->interval_s;
    for (int i = 1; i < samples && status == EXIT_GOOD; i++) {
        if (i > 1)
            job_clear(&job);
        free(starved);
        starved = NULL;
        if (i + 1 == samples)
            starved = wait_for_turns(&before, seen_s, plan->interval_s, plan->more_s);
        else
            wait_for_reading(seen_s + plan->interval_s);
        if (cut_short_take()) {
            free(starved);
            starved = wait_for_turns(&before, monotonic_s(), least_interval_s, cut_short_more_s);
            interval_s = monotonic_s() - seen_s;
        }
        status = read_job(dll, i + 1 < samples ? &first : request, &job, ret_reason);
        seen_s = monotonic_s();
    }
    if (status == EXIT_GOOD) {
        finish_last(&before, request, starved, samples, interval_s, &job);
        *ret_job = job;
    }
    free(starved);
    job_clear(&before);
    return status;
}
