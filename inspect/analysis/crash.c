/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes findings from core files that record a crash.
 */
#include "analysis/analysis_internal.h"

#include "base/base.h"
#include "stack/stack.h"
#include "text/text.h"
#include "words/words.h"

static const char *describe_process(const struct process *process)
{
    return process->rank >= 0 ? arena_text("rank %d", process->rank) : arena_copy(process->core);
}

/* The stack of the thread, to be cleared with all others; NULL: not known. */
static const struct thread_stack *read_stack(struct target *core, pid_t thread, struct site_cache *sites,
                                             struct stacks *ret_stacks)
{
    struct reason reason;
    if (stacks_read(core, sites, ret_stacks, &reason) != 0)
        return NULL;
    for (size_t i = 0; i < ret_stacks->thread_count; i++)
        if (ret_stacks->threads[i].tid == thread)
            return &ret_stacks->threads[i];
    return NULL;
}

/* Adds a process without the runtime. */
static void add_seen(struct finding *finding, const struct process *process)
{
    const int number = next_seen_thread(process, -1);
    if (number < 0)
        return;
    const struct seen_thread *thread = &process->seen_threads[number];
    const char *seen = describe_seen_thread(thread);
    evidence_add(&finding->evidence, process->rank, 0,
                 thread->function[0] != '\0' ? arena_text("in %s", seen) : arena_copy(seen),
                 evidence_place_of_seen(thread), -1);
}

/* Adds the first thread that is in MPI. */
static void add_other(struct finding *finding, const struct process *process, const struct communicator_labels *labels)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        evidence_add(&finding->evidence, process->rank, 0, arena_text("in %s", describe_call(process, thread, labels)),
                     evidence_place(thread->site, thread->function), thread->age_s);
        return;
    }
}

static const char *keep(const char *text)
{
    return text != NULL ? arena_copy(text) : NULL;
}

/* Copies a site whose cache is cleared before the finding. */
static struct site keep_site(const struct site *site)
{
    struct site kept = *site;
    kept.module = keep(site->module);
    kept.function = keep(site->function);
    kept.file = keep(site->file);
    kept.path = keep(site->path);
    kept.called = keep(site->called);
    kept.hint = NULL;
    return kept;
}

struct crash_place describe_crash(struct target *core, const struct crash *crash)
{
    struct site_cache sites = {0};
    struct stacks stacks = {0};
    const struct thread_stack *stack = read_stack(core, crash->thread, &sites, &stacks);
    const struct stack_frame *frame = stack != NULL ? stack_find_place(stack) : NULL;
    const char *place = stack != NULL ? arena_take(describe_place(stack)) : NULL,
               *frames = stack != NULL ? arena_take(describe_stack(stack)) : NULL;
    const struct crash_place result = {.text = arena_text("in thread %ld%s%s", (long)crash->thread,
                                                          place != NULL ? ": " : "", frames != NULL ? frames : ""),
                                       .place = place != NULL ? place : "",
                                       .site = frame != NULL ? keep_site(frame->site) : (struct site){0}};
    arena_clear(&stacks.arena);
    site_cache_clear(&sites);
    return result;
}

static struct target *core_of(const struct process *process)
{
    return process->crash_target != NULL ? process->crash_target : process->target;
}

static void tell_crash(const struct job *job, const struct process *process, const struct crash *crash,
                       const struct communicator_labels *labels, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_RANK_DIED);
    const char *who = describe_process(process), *signal = arena_take(describe_signal(crash->signal));
    const struct crash_place place = describe_crash(core_of(process), crash);
    finding->confirmed = true;
    finding->message = arena_text("%s died of %s %s", who, signal, place.text);
    if (process->crash_how != NULL)
        finding->remedy = arena_text("look into its core file: %s", process->crash_how);
    ranks_add(&finding->ranks, process->rank);
    ranks_add(&finding->culprits, process->rank);
    evidence_add_stack(&finding->evidence, process->rank, arena_text("died of %s", signal), place.place,
                       evidence_place(&place.site, NULL), -1);
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason == NULL)
            add_other(finding, &job->processes[i], labels);
        else if (&job->processes[i] != process)
            add_seen(finding, &job->processes[i]);
    ranks_finish(&finding->ranks);
    ranks_finish(&finding->culprits);
    mpi_errors_add_returned(job, labels, finding);
    finding_finish(finding);
}

bool process_find_crash(const struct process *process, struct crash *ret_crash)
{
    return process->core != NULL && core_of(process) != NULL && (process->reason == NULL || process->lacks_tables) &&
           target_find_crash(core_of(process), ret_crash);
}

struct findings find_crashes(const struct job *job)
{
    struct findings findings = {0};
    struct communicator_labels labels = {.count = 0};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        struct crash crash;
        if (!process_find_crash(process, &crash))
            continue;
        if (findings.count == 0)
            labels = label_communicators(job);
        tell_crash(job, process, &crash, &labels, &findings);
    }
    return findings;
}

void say_crashes(FILE *stream, const struct job *job)
{
    struct findings findings = find_crashes(job);
    for (size_t i = 0; i < findings.count; i++)
        print_line(stream, "%s: %s", finding_kind_name(findings.items[i].kind), findings.items[i].message);
}
