/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs a job under guard: watches it, and ends it with the verdict.
 */

#include "base/base.h"
#include "monitor/monitor_internal.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

enum { STATUS_OF_SIGNAL = 128 };

/* The younger the job, the more often it is examined: early ends are to be seen. */
static const double least_step_s = 0.1, share_of_age = 0.1;
static const double most_patience_s = 60;
/* Time by the clock that is longer than that in which ranks could run is told from here on. */
static const double notable_stretch = 1.1;
/* A launcher that has no rank here after this time has them elsewhere. */
static const double appearance_s = 2;

struct guard {
    const struct dll *dll;
    const struct guard_plan *plan;
    struct guard_job *job;
    double began_s;
    double quiet_s;  /* without progress */
    double unread_s; /* without any process that could be read */
    bool was_read;
    bool was_told;   /* that none can be read */
    bool was_judged; /* as it was before a signal was passed on */
    bool was_warned; /* of the end that is known */
    struct reason reason;
    struct guard_deaths deaths;
    struct guard_look earlier, last; /* before the look that is being taken */
    struct guard_look before, after; /* around the first end of a rank */
    struct guard_hosts hosts;
    double own_quiet_s; /* of the ranks on this host, as far as they could run */
    double own_moved_s; /* CLOCK_MONOTONIC, when they have made progress last */
    pid_t launcher;     /* of a job without ranks on this host; 0: none */
    double launcher_since_s;
    const struct marked_host *lost; /* which the user is told of */
    struct end_hosts others;        /* where the job is to end besides; found when it is to end */
};

static void tell_unread(FILE *stream, void *context)
{
    const struct guard *guard = context;
    print_line(stream, "mpilens guard: the job is not guarded, for nothing of it can be read: %s", guard->reason.text);
}

/* Tells which process has waited longest for a processor, where that was a good part of the time. */
static void tell_starvation(FILE *stream, const struct guard_reading *reading, double age_s)
{
    static const double good_part = 0.25;
    const struct guard_process *most = NULL;
    double most_s = good_part * age_s;
    for (size_t i = 0; i < reading->process_count; i++)
        for (size_t j = 0; j < reading->processes[i].thread_count; j++)
            if (reading->processes[i].threads[j].times.waited_s > most_s) {
                most = &reading->processes[i];
                most_s = most->threads[j].times.waited_s;
            }
    if (most != NULL)
        print_line(stream,
                   "mpilens guard: too many processes share the processors: process %ld has waited %.1f s for one, and "
                   "run for %.1f s",
                   (long)most->pid, most_s, most->cpu_time_s);
}

static void judge(FILE *stream, const struct guard *guard, double patience_s)
{
    const struct guard_plan *plan = guard->plan;
    if (guard->was_judged)
        return;
    char *path = plan->no_snapshot        ? NULL
                 : plan->snapshot != NULL ? copy_text(plan->snapshot)
                                          : format_text("mpilens-%ld.mpilens", (long)guard->job->launcher);
    const struct guard_verdict verdict = {.patience_s = patience_s,
                                          .snapshot = path,
                                          .snapshot_mode = plan->snapshot_mode,
                                          .reach = &plan->reach,
                                          .output = &plan->output};
    guard_headline_begin();
    tell_starvation(stream, &guard->last.reading, monotonic_s() - guard->began_s);
    if (!guard_watch_judge(stream, guard->dll, guard->job, &verdict))
        print_line(stream, "mpilens guard: no verdict: %s", guard->reason.text);
    free(path);
}

/* Ranks came to wait while the others stood still. */
static void tell_stall(FILE *stream, void *context)
{
    const struct guard *guard = context;
    const double elapsed_s = guard->last.reading.at_s - guard->own_moved_s;
    char *could_run = guard->own_quiet_s > 0 && elapsed_s > guard->own_quiet_s * notable_stretch
                          ? format_text(" in which all ranks could run, of %.1f s", elapsed_s)
                          : copy_text("");
    print_line(stream, "mpilens guard: no MPI progress for %g s%s; terminating %s (pid %ld)", guard->plan->timeout_s,
               could_run, guard->plan->command, (long)guard->job->launcher);
    free(could_run);
    judge(stream, guard, guard->plan->timeout_s / 2);
}

static void tell_lost(FILE *stream, void *context)
{
    const struct guard *guard = context;
    print_line(stream, "mpilens guard: host %s does not answer: %s; what its ranks do is not known", guard->lost->name,
               guard->lost->reason);
}

static double patience_of_age(const struct guard *guard)
{
    return fmin((monotonic_s() - guard->began_s) / 2, most_patience_s);
}

static void tell_limit(FILE *stream, void *context)
{
    const struct guard *guard = context;
    print_line(stream, "mpilens guard: the job has run for %g s, its limit; terminating %s (pid %ld)",
               guard->plan->limit_s, guard->plan->command, (long)guard->job->launcher);
    judge(stream, guard, patience_of_age(guard));
}

static void tell_signal(FILE *stream, void *context)
{
    const struct guard *guard = context;
    char *signal = describe_signal(guard->job->asked);
    print_line(stream, "mpilens guard: %s has come for %s (pid %ld), which was at this:", signal, guard->plan->command,
               (long)guard->job->launcher);
    free(signal);
    judge(stream, guard, patience_of_age(guard));
    if (guard->job->asked == SIGINT)
        print_line(stream, "mpilens guard: SIGINT goes to %s now; once more, and all of it ends at once",
                   guard->plan->command);
}

static void tell_before(FILE *stream, void *context)
{
    const struct guard *guard = context;
    print_line(stream, "mpilens guard: %s (pid %ld) ends in %.0f s; now it is at this:", guard->plan->command,
               (long)guard->job->launcher, guard->plan->end_s - (monotonic_s() - guard->began_s));
    judge(stream, guard, patience_of_age(guard));
}

static void tell_death(FILE *stream, void *context)
{
    struct guard *guard = context;
    guard_headline_begin();
    guard_story_tell(stream, guard->dll, &guard->deaths, guard->job->status != 0, &guard->before, &guard->after,
                     &guard->plan->output);
}

static void tell_error(FILE *stream, void *context)
{
    const struct guard *guard = context;
    guard_headline_begin();
    guard_story_tell_error(stream, guard->dll, &guard->deaths, &guard->plan->output);
}

static void run_commands(FILE *stream, void *context)
{
    const struct guard *guard = context;
    guard_output_run(stream, &guard->plan->output);
}

/* Tells a verdict, then runs the commands for what it has found: the reader of the verdict does not wait for them. */
static void tell_verdict(void (*tell)(FILE *stream, void *context), struct guard *guard)
{
    guard_tell(tell, guard);
    if (guard_output_has_commands(&guard->plan->output))
        guard_tell_slowly(run_commands, guard, 2 * ON_FINDING_SECONDS);
}

/* Forgets ranks that have all ended well: another job may follow. */
static void forget_good_ends(struct guard *guard)
{
    if (guard->deaths.count == 0 || guard->deaths.ended < guard->deaths.count)
        return;
    guard_deaths_finish(&guard->deaths);
    if (guard_deaths_find_first(&guard->deaths, false) != NULL)
        return;
    guard_deaths_clear(&guard->deaths);
    guard->deaths = guard_deaths_begin();
    guard_look_clear(&guard->before);
    guard_look_clear(&guard->after);
}

/* Processes that were just ending at the last look could not be read. */
static void keep_last_before_end(struct guard *guard)
{
    struct guard_look *kept = &guard->last;
    for (size_t i = 0; i < guard->deaths.count; i++)
        if (guard->deaths.items[i].order > 0 && !guard_look_has(&guard->last, guard->deaths.items[i].pid))
            kept = &guard->earlier;
    guard->before = *kept;
    *kept = (struct guard_look){.job_count = 0};
}

/* Where ranks have not appeared after a while, they run elsewhere. */
static void note_launcher(struct guard *guard, pid_t launcher)
{
    if (launcher != guard->launcher)
        guard->launcher_since_s = monotonic_s();
    guard->launcher = launcher;
    if (launcher != 0 && monotonic_s() - guard->launcher_since_s >= appearance_s)
        guard_hosts_note(&guard->hosts, NULL, launcher);
}

/* Notes the progress of all ranks, on this host and on others. */
static void note_progress(struct guard *guard, const struct guard_reading *before, const struct guard_reading *later,
                          double step_s)
{
    const bool is_read = before->process_count > 0 && later->process_count > 0;
    guard->own_quiet_s = is_read ? guard_quiet_time(guard->own_quiet_s, before, later, 2 * step_s) : 0;
    if (guard->own_quiet_s == 0)
        guard->own_moved_s = later->at_s;
    const struct quiet_span own = {.since_s = later->at_s - guard->own_quiet_s, .until_s = later->at_s};
    guard->quiet_s = guard_hosts_quiet_time(&guard->hosts, is_read ? &own : NULL);
    guard->was_read = guard->was_read || later->process_count > 0 || guard_hosts_count_ranks(&guard->hosts) > 0;
    while ((guard->lost = guard_hosts_next_lost(&guard->hosts)) != NULL)
        guard_tell(tell_lost, guard);
}

struct reading {
    struct guard *guard;
    struct guard_look look;
    pid_t launcher; /* of ranks that run elsewhere; 0: none */
};

static void read_all(void *context)
{
    struct reading *reading = context;
    struct guard *guard = reading->guard;
    const bool is_wide = !guard->plan->reach.here;
    guard_watch_read(guard->dll, guard->job, &guard->deaths, is_wide ? &guard->hosts : NULL, &reading->look,
                     &guard->reason);
    reading->launcher = is_wide && reading->look.job_count == 0 ? guard_watch_find_launcher(guard->job) : 0;
}

static void take_look(struct guard *guard, double step_s)
{
    struct reading reading = {.guard = guard};
    const bool is_first_end = guard_deaths_note(&guard->deaths) > 0 && guard->before.job_count == 0;
    reason_set(&guard->reason, "it has no MPI process on this host");
    if (!is_first_end)
        forget_good_ends(guard);
    guard_hosts_begin_look(&guard->hosts);
    if (!blocked_read_leave_out(read_all, &reading))
        reason_set(&guard->reason, "the memory of too many processes of this host does not answer");
    struct guard_look look = reading.look;
    if (!guard->plan->reach.here)
        note_launcher(guard, reading.launcher);
    guard_hosts_end_look(&guard->hosts);
    guard->unread_s += step_s;
    note_progress(guard, &guard->last.reading, &look.reading, step_s);
    if (is_first_end) {
        keep_last_before_end(guard);
        guard->after = look;
        return;
    }
    guard_look_clear(&guard->earlier);
    guard->earlier = guard->last;
    guard->last = look;
}

/* When the launcher should have ended, as it was asked to; INFINITY: it was not. */
static double grace_end_s(const struct guard *guard)
{
    return guard->job->passed_on_s > 0 ? guard->job->passed_on_s + guard->plan->kill_after_s : INFINITY;
}

/* From the start; INFINITY: there is none. */
static double time_of_warning(const struct guard *guard)
{
    return guard->plan->before_s > 0 ? guard->plan->end_s - guard->plan->before_s : INFINITY;
}

static double next_step(const struct guard *guard)
{
    const double now_s = monotonic_s(), age_s = now_s - guard->began_s;
    const double step_s = fmin(guard->plan->interval_s, fmax(least_step_s, share_of_age * age_s));
    const double limit_s = guard->plan->limit_s > 0 ? guard->plan->limit_s - age_s : INFINITY;
    const double warning_s = time_of_warning(guard) - age_s;
    const double event_s = warning_s > 0 ? fmin(limit_s, warning_s) : limit_s;
    return fmax(fmin(step_s, fmin(event_s, grace_end_s(guard) - now_s)), 0);
}

static bool is_over_limit(const struct guard *guard)
{
    return guard->plan->limit_s > 0 && monotonic_s() - guard->began_s >= guard->plan->limit_s;
}

/* While processes of it are there that tell where others are. */
static void find_others(struct guard *guard)
{
    const struct host_reach *reach = &guard->plan->reach;
    if (reach->here || guard->others.count > 0)
        return;
    for (size_t i = 0; i < guard->hosts.job_count; i++)
        end_hosts_find(&guard->others, guard->dll, reach, guard->hosts.jobs[i].process);
    const pid_t launcher = guard->others.count == 0 ? guard_watch_find_launcher(guard->job) : 0;
    if (launcher != 0)
        end_hosts_find(&guard->others, guard->dll, reach, launcher);
}

static void warn_of_end(struct guard *guard)
{
    if (guard->was_warned || monotonic_s() - guard->began_s < time_of_warning(guard))
        return;
    guard->was_warned = guard->was_read; /* ranks may begin late */
    if (guard->was_read)
        tell_verdict(tell_before, guard);
}

/* Until the launcher has ended, or has not although it was asked to, there was no progress for the timeout, or the
 * limit is over. */
static void watch(struct guard *guard)
{
    struct guard_job *job = guard->job;
    while (guard->quiet_s < guard->plan->timeout_s && !is_over_limit(guard) && !job->is_urgent &&
           monotonic_s() < grace_end_s(guard)) {
        const double step_s = next_step(guard);
        const struct arena_mark mark = arena_mark();
        guard_job_wait(job, guard->deaths.queue, step_s);
        if (job->has_ended)
            return;
        if (job->asked != 0) {
            if (!guard->was_read)
                take_look(guard, 0);
            if (job->was_asked != 0)
                guard_tell_until_interrupt(job);
            if (guard->was_read)
                tell_verdict(tell_signal, guard);
            if (job->was_asked != 0) {
                guard->was_judged = guard->was_read;
                find_others(guard);
            }
            guard_job_pass_on(job);
            continue; /* and keeps what find_others has found */
        }
        take_look(guard, step_s);
        warn_of_end(guard);
        if (!guard->was_read && !guard->was_told && guard->unread_s >= guard->plan->timeout_s &&
            !guard_hosts_is_waiting(&guard->hosts)) {
            guard_tell(tell_unread, guard);
            guard->was_told = true;
        }
        arena_release(mark); /* in weeks, there are many looks */
    }
}

/* Whether ranks have not ended well after a signal that asked them to: launchers may end with status 0 then. */
static bool was_cut_short(const struct guard *guard)
{
    return guard->job->was_asked != 0 &&
           (guard->deaths.ended < guard->deaths.count || guard_deaths_find_first(&guard->deaths, true) != NULL);
}

static int finish(struct guard *guard)
{
    const int status = guard->job->status;
    guard_deaths_finish(&guard->deaths);
    if (guard->before.job_count == 0) /* all have ended at once */
        keep_last_before_end(guard);
    const struct guard_death *first = guard_deaths_find_first(&guard->deaths, status != 0);
    if (status == 0 && was_cut_short(guard))
        return STATUS_OF_SIGNAL + guard->job->was_asked;
    if (first == NULL && status != 0 && guard->job->was_asked == 0)
        tell_verdict(tell_error, guard);
    if (first != NULL && guard->job->was_asked == 0) {
        tell_verdict(tell_death, guard);
        if (status == 0 && first->is_of_launcher)
            return EXIT_FINDING;
    }
    return WIFSIGNALED(status) ? STATUS_OF_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Processes may be left of a job whose launcher has ended, unless it ended well, unasked. */
static bool may_be_left(const struct guard *guard)
{
    const int status = guard->job->status;
    return guard->job->was_asked != 0 || WIFSIGNALED(status) ||
           (status != 0 && guard->deaths.ended < guard->deaths.count);
}

/* Whether it took no more than to ask the launcher. */
static bool end_job(struct guard *guard, double asked_s)
{
    const struct guard_end_plan plan = {.dll = guard->dll,
                                        .reach = &guard->plan->reach,
                                        .hosts = &guard->others,
                                        .command = guard->plan->command,
                                        .patience_s = guard->plan->kill_after_s};
    return guard_end(guard->job, &plan, asked_s);
}

/* Ends the job where it has not ended by itself. The exit status. */
static int end(struct guard *guard)
{
    struct guard_job *job = guard->job;
    const bool is_over = is_over_limit(guard), has_stalled = guard->quiet_s >= guard->plan->timeout_s;
    if (!job->has_ended && (is_over || has_stalled))
        tell_verdict(is_over ? tell_limit : tell_stall, guard);
    if (!job->has_ended)
        find_others(guard);
    guard_hosts_clear(&guard->hosts);
    guard_job_wait(job, -1, 0);
    if (job->has_ended) {
        const int status = finish(guard);
        const bool was_all =
            !may_be_left(guard) || end_job(guard, job->was_asked != 0 ? job->passed_on_s : monotonic_s());
        return status == 0 && !was_all ? STATUS_OF_SIGNAL + job->was_asked : status;
    }
    if (is_over || has_stalled) {
        end_job(guard, -1);
        return EXIT_TIMED_OUT;
    }
    const bool was_enough = end_job(guard, job->passed_on_s);
    const int status = job->has_ended && !job->is_urgent ? finish(guard) : 0;
    return status == 0 && !was_enough ? STATUS_OF_SIGNAL + job->was_asked : status;
}

struct ending_report {
    const struct guard_output *output;
    int status;
};

static void write_reports(FILE *stream, void *context)
{
    const struct ending_report *report = context;
    guard_output_finish(stream, report->output, report->status);
}

int guard_run(const struct dll *dll, const struct guard_plan *plan, struct guard_job *job)
{
    struct guard guard = {
        .dll = dll,
        .plan = plan,
        .job = job,
        .began_s = monotonic_s(),
        .deaths = guard_deaths_begin(),
        .hosts = {.dll = dll, .reach = &plan->reach, .interval_s = plan->interval_s, .timeout_s = plan->timeout_s}};
    guard_headline_begin();
    guard_output_begin(&plan->output);
    watch(&guard);
    const int status = end(&guard);
    guard_job_leave_terminal(job);
    struct ending_report report = {.output = &plan->output, .status = status};
    if (guard_output_lacks_reports(&plan->output, status))
        guard_tell(write_reports, &report);
    if (status != 0 && guard_headline_is_known())
        guard_tell(guard_headline_tell, NULL);
    guard_look_clear(&guard.earlier);
    guard_look_clear(&guard.last);
    guard_look_clear(&guard.before);
    guard_look_clear(&guard.after);
    guard_deaths_clear(&guard.deaths);
    return status;
}
