/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells how a rank ended its job by ending itself.
 */
#include "monitor/monitor_internal.h"

#include "analysis/analysis.h"
#include "analysis/causes/causes.h"
#include "base/base.h"
#include "job/job.h"
#include "model/model.h"
#include "render/text/render_text.h"
#include "text/text.h"
#include "words/words.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

/* A process as it was seen in a look, or as its black box says. */
struct seen {
    const struct job *job; /* NULL: it was not seen */
    const struct process *process;
    bool is_exact; /* as it was when it ended */
};

static struct seen find_in_job(const struct job *job, pid_t pid)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->pid == pid && process->reason == NULL)
            return (struct seen){.job = job, .process = process, .is_exact = process->has_ended};
    }
    return (struct seen){.job = NULL};
}

static struct seen find_seen(const struct guard_look *look, pid_t pid)
{
    struct seen seen = {.job = NULL};
    for (size_t i = 0; i < look->job_count && seen.job == NULL; i++)
        seen = find_in_job(&look->jobs[i], pid);
    return seen;
}

/* The job of that process from its black boxes. False: there are none, or it has not ended. */
static bool read_ended_job(const struct dll *dll, pid_t pid, struct job *ret_job)
{
    char text[32], *target = text;
    struct reason reason;
    snprintf(text, sizeof text, "%ld", (long)pid);
    const struct job_request request = {
        .targets = &target, .target_count = 1, .may_have_ended = true, .plan.depth = COLLECT_ALL};
    if (sample_job(dll, &request, &(struct sample_plan){.samples = 1}, ret_job, &reason) != EXIT_GOOD)
        return false;
    if (find_in_job(ret_job, pid).is_exact)
        return true;
    job_clear(ret_job);
    return false;
}

/* The error for which MPI has ended the job. False: it did not. */
static bool tell_error(FILE *stream, const struct job *job, const struct guard_output *output)
{
    const struct analysis_options how = analysis_default_options();
    struct analysis analysis;
    analyze(job, &how, &analysis);
    const bool is_error = analysis.findings.count > 0 && analysis.findings.items[0].kind == FINDING_MPI_ERROR;
    struct arena *outer = arena_use(&analysis.texts);
    if (is_error) {
        guard_headline_note_finding(&analysis.findings.items[0]);
        guard_output_tell(stream, output, job, &analysis, 1);
    }
    arena_use(outer);
    analysis_clear(&analysis);
    return is_error;
}

/* The first thread that is in MPI; NULL: none is. */
static const struct thread *find_call(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0')
            return &process->threads[i];
    return NULL;
}

static void add_evidence(struct finding *finding, const struct seen *seen, const char *when)
{
    struct arena passing = {0};
    struct arena *outer = arena_use(&passing);
    struct communicator_labels labels = label_communicators(seen->job);
    const struct thread *call = find_call(seen->process);
    const char *doing = call != NULL ? describe_call(seen->process, call, &labels) : "the program, outside MPI";
    arena_use(outer);
    evidence_add(&finding->evidence, seen->process->rank, 0, arena_text("%s in %s", when, doing),
                 call != NULL ? evidence_place(call->site, call->function) : evidence_place(NULL, NULL),
                 -1); /* an age is of then, not of its end */
    arena_clear(&passing);
}

/* "has called exit with status 3" */
static const char *describe_death(const struct guard_death *death, bool has_finalized)
{
    if (!death->is_known)
        return "has ended first, and it is not known how: before Linux 6.15, only its launcher is told";
    if (WIFSIGNALED(death->status)) {
        const char *signal = arena_take(describe_signal(WTERMSIG(death->status)));
        return arena_text("died of %s%s", signal, WCOREDUMP(death->status) ? ", core dumped" : "");
    }
    return arena_text("has exited with status %d %s MPI_Finalize", WEXITSTATUS(death->status),
                      has_finalized ? "in or after" : "before");
}

static const char *describe_last_place(const struct seen *seen)
{
    const struct thread *call = seen->job != NULL ? find_call(seen->process) : NULL;
    const char *site = call != NULL ? describe_site(call->site) : "";
    if (seen->job == NULL)
        return "";
    const char *was = seen->is_exact ? "was" : "was last seen";
    if (call == NULL && seen->is_exact)
        return arena_text("; it was outside MPI%s", describe_last_call(seen->process));
    return call == NULL ? arena_text("; it %s outside MPI", was)
                        : arena_text("; it %s in %s%s%s", was, call->function, site[0] != '\0' ? " at " : "", site);
}

/* Whether its signal makes the kernel write a core file, if it may. */
static bool is_core_due(const struct guard_death *death)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGQUIT, SIGTRAP, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; death->is_known && WIFSIGNALED(death->status) && i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] == WTERMSIG(death->status))
            return true;
    return false;
}

static bool find_core(const struct guard_death *death, time_t since, struct crash_core *ret_core)
{
    enum { TRIES_OF_SYSTEMD = 40 };
    const bool is_dumped = is_core_due(death) && WCOREDUMP(death->status);
    const struct crash_query query = {.directory = death->directory,
                                      .pid = death->pid,
                                      .since = since,
                                      .signal = death->is_known ? WTERMSIG(death->status) : 0,
                                      .tries_of_systemd = is_dumped ? TRIES_OF_SYSTEMD : 0};
    return (!death->is_known || WIFSIGNALED(death->status)) && crash_core_find(&query, ret_core);
}

struct told_crash {
    int signal;
    const char *how; /* to look into it: a command */
    struct crash_place place;
};

/* As it was read with its black box, or from a core file that is looked for now. */
static bool find_crash(const struct seen *seen, const struct guard_death *death, time_t since, struct site_cache *sites,
                       struct told_crash *ret_crash)
{
    const struct process *process = seen->job != NULL ? seen->process : NULL;
    struct crash_core core;
    if (process != NULL && process->crash_signal != 0) {
        *ret_crash = (struct told_crash){
            .signal = (int)process->crash_signal,
            .how = process->crash_how,
            .place = {.stack = process->crash_stack, .place = process->crash_place, .site = process->crash_site}};
        return true;
    }
    if (!find_core(death, since, &core))
        return false;
    *ret_crash = (struct told_crash){.signal = core.crash.signal,
                                     .how = arena_copy(core.how),
                                     .place = crash_place_read(core.target, &core.crash, sites)};
    crash_core_clear(&core);
    return true;
}

static void add_crash(struct finding *finding, const struct guard_death *death, const struct told_crash *crash)
{
    const struct crash_place *place = &crash->place;
    const char *signal = arena_take(describe_signal(crash->signal));
    finding->message = death->is_known ? arena_text("%s, %s", finding->message, place->stack)
                                       : arena_text("%s; its core file: %s %s", finding->message, signal, place->stack);
    finding->remedy = arena_text("look into its core file: %s", crash->how);
    evidence_add_stack(&finding->evidence, death->rank, arena_text("died of %s", signal), place->place,
                       evidence_place(place->site, NULL), -1);
}

static void tell_lack_of_core(FILE *stream, const struct guard_death *death)
{
    char *why = core_file_explain(death->directory, WCOREDUMP(death->status));
    print_line(stream, "  no core file of rank %d: %s", death->rank, why);
    free(why);
}

static bool has_finalized(const struct seen *seen)
{
    return seen->job != NULL &&
           (seen->process->state == PROCESS_FINALIZING || seen->process->state == PROCESS_FINALIZED);
}

/* `ended`: NULL: it has no black boxes. */
static void tell_others(struct finding *finding, const struct guard_deaths *deaths, const struct guard_death *first,
                        const struct guard_look *before, const struct guard_look *after, const struct job *ended)
{
    for (size_t i = 0; i < deaths->count; i++) {
        const struct guard_death *other = &deaths->items[i];
        struct seen seen = ended != NULL ? find_in_job(ended, other->pid) : find_seen(after, other->pid);
        const bool is_after = seen.job != NULL && !seen.is_exact;
        if (seen.job == NULL)
            seen = find_seen(before, other->pid);
        if (other != first && seen.job != NULL)
            add_evidence(finding, &seen, seen.is_exact ? "was" : is_after ? "then" : "last seen");
    }
}

static void tell_death(FILE *stream, const struct guard_deaths *deaths, const struct guard_death *first,
                       struct guard_look *before, struct guard_look *after, const struct job *ended,
                       const struct guard_output *output)
{
    for (size_t i = 0; i < before->job_count; i++)
        job_resolve_sites(&before->jobs[i]);
    for (size_t i = 0; i < after->job_count; i++)
        job_resolve_sites(&after->jobs[i]);
    struct seen seen = ended != NULL ? find_in_job(ended, first->pid) : find_seen(before, first->pid);
    if (seen.job == NULL)
        seen = find_seen(after, first->pid);
    struct analysis analysis = {.remark = NULL};
    struct arena *outer = arena_use(&analysis.texts);
    struct finding *finding = findings_add(&analysis.findings, FINDING_RANK_DIED);
    const char *end = describe_death(first, has_finalized(&seen));
    finding->message = arena_text("rank %d (process %ld) %s", first->rank, (long)first->pid, end);
    struct site_cache sites = {0};
    struct told_crash crash;
    const bool has_core = find_crash(&seen, first, deaths->since, &sites, &crash);
    if (has_core)
        add_crash(finding, first, &crash);
    finding->message = arena_text("%s%s", finding->message, describe_last_place(&seen));
    if (first->is_known && !WIFSIGNALED(first->status) && !has_finalized(&seen))
        finding->remedy = "end every rank with MPI_Finalize, or the whole job with MPI_Abort";
    ranks_add(&finding->ranks, first->rank);
    ranks_add(&finding->culprits, first->rank);
    if (seen.job != NULL && !has_core)
        add_evidence(finding, &seen, seen.is_exact ? "was" : "last seen");
    tell_others(finding, deaths, first, before, after, ended);
    finding_finish(finding);
    guard_headline_note_finding(finding);
    static const struct job unseen = {.samples = 1, .interval_s = -1};
    guard_output_tell(stream, output, seen.job != NULL ? seen.job : &unseen, &analysis, 1);
    if (!has_core && is_core_due(first))
        tell_lack_of_core(stream, first);
    arena_use(outer);
    analysis_clear(&analysis);
    site_cache_clear(&sites);
}

void guard_story_tell(FILE *stream, const struct dll *dll, struct guard_deaths *deaths, bool has_failed,
                      struct guard_look *before, struct guard_look *after, const struct guard_output *output)
{
    const struct guard_death *first = guard_deaths_find_first(deaths, has_failed);
    struct job ended;
    const bool has_boxes = read_ended_job(dll, first->pid, &ended);
    if (has_boxes) {
        guard_deaths_note_boxes(deaths, &ended);
        first = guard_deaths_find_first(deaths, has_failed);
    }
    if (!has_boxes || !tell_error(stream, &ended, output))
        tell_death(stream, deaths, first, before, after, has_boxes ? &ended : NULL, output);
    if (has_boxes)
        job_clear(&ended);
}

void guard_story_tell_error(FILE *stream, const struct dll *dll, const struct guard_deaths *deaths,
                            const struct guard_output *output)
{
    struct job ended;
    if (deaths->count == 0 || !read_ended_job(dll, deaths->items[0].pid, &ended))
        return;
    tell_error(stream, &ended, output);
    job_clear(&ended);
}
