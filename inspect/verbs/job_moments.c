/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job again and again, as its hosts and processes allow.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "job/job.h"
#include "stack/stack.h"
#include "text/text.h"

static const struct host_reading one_round = {.two_rounds = false};

static enum exit_status read_anywhere(struct job_moments *moments, struct job *ret_job, struct reason *ret_reason)
{
    return moments->is_wide ? read_wide_job(moments->dll, moments->options, &moments->request, &one_round,
                                            &moments->wide, ret_job, &moments->lost, ret_reason)
                            : read_job(moments->dll, &moments->request, ret_job, ret_reason);
}

struct attempt {
    struct job_moments *moments;
    struct job *job;
    struct reason *reason;
    enum exit_status status;
};

static void read_here(void *context)
{
    struct attempt *attempt = context;
    attempt->status = read_job(attempt->moments->dll, &attempt->moments->request, attempt->job, attempt->reason);
}

/* Only the first reading may start the command over, if a process of the host does not answer. */
static enum exit_status read_another(struct job_moments *moments, struct job *ret_job, struct reason *ret_reason)
{
    struct attempt attempt = {.moments = moments, .job = ret_job, .reason = ret_reason, .status = EXIT_UNREADABLE};
    if (moments->is_wide || moments->options->stop)
        return read_anywhere(moments, ret_job, ret_reason);
    if (!blocked_read_leave_out(read_here, &attempt))
        reason_set(ret_reason, "the memory of too many processes of this host does not answer");
    return attempt.status;
}

static void look_besides(struct job *job)
{
    job_note_activity(job);
    job_find_seen_threads(job);
}

static enum exit_status read_first(struct job_moments *moments, struct job *ret_job, struct reason *ret_reason)
{
    const enum wide_job_status found =
        find_hosts(moments->dll, moments->options, &moments->request, &one_round, &moments->wide, ret_reason);
    if (found == WIDE_JOB_ERROR)
        return EXIT_USAGE;
    moments->is_wide = found == WIDE_JOB_HOSTS;
    const enum exit_status status = read_anywhere(moments, ret_job, ret_reason);
    if (status != EXIT_GOOD || check_shown_ranks(ret_job, &moments->options->render.ranks, ret_reason) == 0)
        return status;
    job_clear(ret_job);
    return EXIT_UNREADABLE;
}

enum exit_status job_moments_begin(struct job_moments *ret_moments, const struct dll *dll,
                                   const struct options *options, struct job *ret_job, struct reason *ret_reason)
{
    struct job_moments moments = {.dll = dll,
                                  .options = options,
                                  .request = {.targets = options->targets,
                                              .target_count = options->target_count,
                                              .stop = options->stop,
                                              .stacks_suffice = true,
                                              .plan.depth = COLLECT_SAMPLE}};
    const enum exit_status status = read_first(&moments, ret_job, ret_reason);
    if (status != EXIT_GOOD)
        return status;
    if (moments.lost > 0) /* that hosts are read one after the other changes nothing here */
        say_about_job(ret_job);
    else
        say_launch_problem(ret_job);
    moments.representative = moments.is_wide ? 0 : job_verb_representative(ret_job);
    moments.is_constant = moments.representative == 0 && !moments.is_wide;
    moments.target[0] = (char *)arena_text("%ld", (long)moments.representative);
    *ret_moments = moments;
    if (moments.representative != 0 && moments.request.target_count < 2) { /* not another job when this one has ended */
        ret_moments->request.targets = ret_moments->target;
        ret_moments->request.target_count = 1;
    }
    look_besides(ret_job);
    return EXIT_GOOD;
}

enum job_moment job_moments_read(struct job_moments *moments, struct job *ret_job, struct reason *ret_reason)
{
    if (moments->representative != 0 && process_has_ended("/proc", moments->representative))
        return JOB_MOMENT_OVER;
    if (read_another(moments, ret_job, ret_reason) == EXIT_GOOD) {
        look_besides(ret_job);
        return JOB_MOMENT_READ;
    }
    if (moments->representative != 0)
        return JOB_MOMENT_NONE;
    return moments->lost > 0 ? JOB_MOMENT_LOST : JOB_MOMENT_OVER;
}
