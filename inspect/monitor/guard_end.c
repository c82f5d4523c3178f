/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends a job on all its hosts.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <math.h>

struct ending {
    struct guard_job *job;
    const struct guard_end_plan *plan;
    struct process_end end;
    struct end_hosts_plan hosts_plan;
};

static bool is_of_job(void *context, pid_t pid)
{
    return guard_job_has(context, pid);
}

/* False: something is left then, or, where it kills, when that does not help. */
static bool is_gone_at(struct ending *ending, double until_s, bool kills)
{
    static const double step_s = 0.1;
    for (;;) {
        if (kills)
            guard_job_kill(ending->job);
        const bool may_help = kills && process_end_kill(&ending->end);
        guard_job_pause(ending->job, 0);
        if (!process_end_is_left(&ending->end)) {
            guard_job_pause(ending->job, 0); /* the launcher may have ended since: its status */
            return true;
        }
        if (kills ? !may_help : monotonic_s() >= until_s || ending->job->is_urgent)
            return false;
        guard_job_pause(ending->job, step_s);
    }
}

static void tell_asked(FILE *stream, void *context)
{
    const struct ending *ending = context;
    print_line(stream, "mpilens guard: left of %s after %g s: %s; they get SIGTERM and SIGCONT, and in %g s SIGKILL",
               ending->plan->command, ending->plan->patience_s, process_end_names(&ending->end),
               ending->plan->patience_s);
}

static void tell_killed(FILE *stream, void *context)
{
    const struct ending *ending = context;
    print_line(stream, "mpilens guard: SIGKILL for %s: %s",
               ending->job->is_urgent ? "all that is left" : "what SIGTERM has not ended",
               process_end_names(&ending->end));
}

static void tell_left(FILE *stream, void *context)
{
    struct ending *ending = context;
    const char *left = process_end_explain(&ending->end);
    if (left != NULL)
        print_line(stream, "mpilens guard: SIGKILL has not ended all: %s", left);
}

static void tell_hosts(FILE *stream, void *context)
{
    const struct ending *ending = context;
    end_hosts_run(stream, ending->plan->hosts, &ending->hosts_plan);
}

bool guard_end(struct guard_job *job, const struct guard_end_plan *plan, double asked_s)
{
    struct ending ending = {
        .job = job,
        .plan = plan,
        .end = {.is_ours = is_of_job, .context = job},
        .hosts_plan = {.dll = plan->dll, .reach = plan->reach, .mark = job->mark, .patience_s = plan->patience_s}};
    if (asked_s < 0) {
        guard_job_ask(job);
        asked_s = monotonic_s();
    }
    bool is_gone = is_gone_at(&ending, asked_s + plan->patience_s, false);
    const bool was_enough = is_gone;
    const double insisted_s = monotonic_s();
    if (job->is_urgent) {
        ending.hosts_plan.patience_s = 0;
    } else if (!is_gone) {
        guard_tell(tell_asked, &ending);
        process_end_find(&ending.end);
        process_end_ask(&ending.end);
    }
    if (plan->hosts->count > 0)
        guard_tell_slowly(tell_hosts, &ending, end_hosts_most_s(plan->hosts, &ending.hosts_plan));
    if (!is_gone)
        is_gone = is_gone_at(&ending, insisted_s + plan->patience_s, false);
    if (!is_gone) {
        guard_tell(tell_killed, &ending);
        is_gone = is_gone_at(&ending, INFINITY, true);
    }
    if (!is_gone)
        guard_tell(tell_left, &ending);
    return was_enough;
}
