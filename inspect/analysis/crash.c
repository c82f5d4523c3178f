/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes findings from core files of crashes.
 */
#include "analysis/analysis_internal.h"

#include "base/base.h"
#include "discover/discover.h"
#include "text/text.h"
#include "words/words.h"

static const char *describe_process(const struct process *process)
{
    return process->rank >= 0 ? arena_text("rank %d", process->rank) : arena_copy(process->core);
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

/* A command that looks into the core file, where that is. */
static const char *describe_look(const struct process *process)
{
    const bool is_here = process->host == NULL || is_this_host(process->host);
    return arena_text("look into its core file%s%s: %s", is_here ? "" : ", on ", is_here ? "" : process->host,
                      process->crash_how);
}

static void tell_crash(const struct job *job, const struct process *process, const struct communicator_labels *labels,
                       struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_RANK_DIED);
    const char *who = describe_process(process), *signal = arena_take(describe_signal((int)process->crash_signal));
    const char *stack = process->crash_stack, *place = process->crash_place;
    finding->confirmed = true;
    const char *blank = stack != NULL && stack[0] != '\0' ? " " : "";
    finding->message = arena_text("%s died of %s%s%s", who, signal, blank, stack != NULL ? stack : "");
    if (process->crash_how != NULL)
        finding->remedy = describe_look(process);
    ranks_add(&finding->ranks, process->rank);
    ranks_add(&finding->culprits, process->rank);
    evidence_add_stack(&finding->evidence, process->rank, arena_text("died of %s", signal), place != NULL ? place : "",
                       evidence_place(process->crash_site, NULL), -1);
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

static struct findings find_crashes(const struct job *job)
{
    struct findings findings = {0};
    struct communicator_labels labels = {.count = 0};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->crash_signal == 0)
            continue;
        if (findings.count == 0)
            labels = label_communicators(job);
        tell_crash(job, process, &labels, &findings);
    }
    return findings;
}

/* MPI was ending the job for an error of the rank. */
static bool is_of_mpi_error(const struct finding *crash, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].kind == FINDING_MPI_ERROR &&
            ranks_has(&findings->items[i].culprits, ranks_first(&crash->culprits)))
            return true;
    return false;
}

static void add_finding(struct findings *findings, const struct finding *finding)
{
    findings->items = arena_append(findings->items, &findings->count, sizeof *findings->items);
    findings->items[findings->count - 1] = *finding;
}

void findings_add_crashes(const struct job *job, struct findings *findings)
{
    const struct findings crashes = find_crashes(job);
    struct findings all = {0};
    for (size_t i = 0; i < crashes.count; i++)
        if (!is_of_mpi_error(&crashes.items[i], findings))
            add_finding(&all, &crashes.items[i]);
    for (size_t i = 0; i < findings->count; i++)
        add_finding(&all, &findings->items[i]);
    for (size_t i = 0; i < crashes.count; i++)
        if (is_of_mpi_error(&crashes.items[i], findings))
            add_finding(&all, &crashes.items[i]);
    *findings = all;
}

void say_crashes(FILE *stream, const struct job *job)
{
    struct findings findings = find_crashes(job);
    for (size_t i = 0; i < findings.count; i++)
        print_line(stream, "%s: %s", finding_kind_name(findings.items[i].kind), findings.items[i].message);
}
