/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells how a rank ended its job by ending itself.
 */
#include "monitor/monitor_internal.h"

#include "analysis/analysis.h"
#include "base/base.h"
#include "model/model.h"
#include "render/text/render_text.h"
#include "text/text.h"
#include "words/words.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process as it was seen in a look. */
struct seen {
    struct job *job; /* NULL: it was not seen */
    const struct process *process;
    double at_s;
};

static struct seen find_seen(const struct guard_look *look, pid_t pid)
{
    for (size_t i = 0; i < look->job_count; i++)
        for (size_t j = 0; j < look->jobs[i].process_count; j++) {
            const struct process *process = &look->jobs[i].processes[j];
            if (process->pid == pid && process->reason == NULL)
                return (struct seen){.job = &look->jobs[i], .process = process, .at_s = look->reading.at_s};
        }
    return (struct seen){.job = NULL};
}

/* Of the threads that call MPI; NULL: none is in it. */
static const struct thread *find_call(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0')
            return &process->threads[i];
    return NULL;
}

static void add_evidence(struct finding *finding, const struct seen *seen, const char *when)
{
    struct communicator_labels labels = label_communicators(seen->job);
    const struct thread *call = find_call(seen->process);
    const char *doing = call != NULL ? describe_call(seen->process, call, &labels) : "the program, outside MPI";
    evidence_add(&finding->evidence, seen->process->rank, 0, arena_text("%s in %s", when, doing),
                 describe_site(call != NULL ? call->site : NULL), call != NULL ? call->age_s : -1);
    communicator_labels_clear(&labels);
}

/* "has called exit with status 3" */
static const char *describe_end(const struct guard_death *death, bool has_finalized)
{
    if (!death->is_known)
        return "has ended first, and it is not known how";
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
    const char *text = seen->job == NULL ? ""
                       : call == NULL    ? "; it was last seen outside MPI"
                                         : arena_text("; it was last seen in %s%s%s", call->function,
                                                   site[0] != '\0' ? " at " : "", site);
    return text;
}

static bool has_finalized(const struct seen *seen)
{
    return seen->job != NULL &&
           (seen->process->state == PROCESS_FINALIZING || seen->process->state == PROCESS_FINALIZED);
}

static void tell_others(struct finding *finding, const struct guard_deaths *deaths, const struct guard_death *first,
                        const struct guard_look *before, const struct guard_look *after)
{
    for (size_t i = 0; i < deaths->count; i++) {
        const struct guard_death *other = &deaths->items[i];
        struct seen seen = find_seen(after, other->pid);
        const bool is_after = seen.job != NULL;
        if (!is_after)
            seen = find_seen(before, other->pid);
        if (other != first && seen.job != NULL)
            add_evidence(finding, &seen, is_after ? "then" : "last seen");
    }
}

void guard_story_tell(FILE *stream, const struct guard_deaths *deaths, const struct guard_death *first,
                      struct guard_look *before, struct guard_look *after)
{
    const struct render_options options = {.color = isatty(STDERR_FILENO) && getenv("NO_COLOR") == NULL};
    for (size_t i = 0; i < before->job_count; i++)
        job_resolve_sites(&before->jobs[i]);
    for (size_t i = 0; i < after->job_count; i++)
        job_resolve_sites(&after->jobs[i]);
    struct seen seen = find_seen(before, first->pid);
    if (seen.job == NULL)
        seen = find_seen(after, first->pid);
    struct analysis analysis = {.remark = NULL};
    struct arena *outer = arena_use(&analysis.texts);
    struct finding *finding = findings_add(&analysis.findings, FINDING_RANK_DIED);
    const char *end = describe_end(first, has_finalized(&seen));
    finding->message =
        arena_text("rank %d (process %ld) %s%s", first->rank, (long)first->pid, end, describe_last_place(&seen));
    if (first->is_known && !WIFSIGNALED(first->status) && !has_finalized(&seen))
        finding->remedy = "end every rank with MPI_Finalize, or the whole job with MPI_Abort";
    ranks_add(&finding->ranks, first->rank);
    ranks_add(&finding->culprits, first->rank);
    if (seen.job != NULL)
        add_evidence(finding, &seen, "last seen");
    tell_others(finding, deaths, first, before, after);
    finding_finish(finding);
    if (seen.job != NULL)
        render_why_text(stream, seen.job, &analysis, &options);
    else
        print_line(stream, "mpilens guard: %s", finding->message);
    arena_use(outer);
    analysis_clear(&analysis);
}
