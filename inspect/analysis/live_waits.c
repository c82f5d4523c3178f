/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits for ranks that can act: they may be slow, or never come back to MPI. Only time tells.
 */
#include "live_waits.h"

#include "allocation.h"
#include "process_activity.h"
#include "progress.h"

#include <stdlib.h>

/* A rank that can act and is waited for. */
struct awaited_rank {
    const struct process *process;
    int *waiters;
    size_t waiter_count;
    double age_s; /* of the longest wait */
};

static bool is_in_mpi(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0')
            return true;
    return false;
}

static bool may_be_stuck(const struct process *process)
{
    return process->reason == NULL && !process_is_gone(process) && !is_in_mpi(process);
}

/* What it does is not known, which is no finding. */
static bool is_unread(const struct process *process)
{
    return process->reason != NULL && !process_is_gone(process);
}

/* Walks from a node to the threads that wait for it, through operations and nodes that stand for many. */
static void add_waiters(const struct waits *waits, const struct wait_waiters *waiters, uint32_t node, int depth,
                        struct awaited_rank *awaited)
{
    for (uint32_t i = waiters->starts[node]; i < waiters->starts[node + 1]; i++) {
        const uint32_t waiter = waiters->items[i];
        const struct wait_subject *subject = &waits->subjects[waiter];
        if (subject->kind == SUBJECT_THREAD) {
            const struct process *process = &waits->job->processes[subject->process];
            if (process == awaited->process)
                continue;
            awaited->waiters = array_append(awaited->waiters, &awaited->waiter_count, sizeof *awaited->waiters);
            awaited->waiters[awaited->waiter_count - 1] = process->rank;
            if (subject->thread->age_s > awaited->age_s)
                awaited->age_s = subject->thread->age_s;
        } else if (subject->kind != SUBJECT_PROCESS && depth > 0) {
            add_waiters(waits, waiters, waiter, depth - 1, awaited);
        }
    }
}

static char *describe_waiters(const struct awaited_rank *awaited)
{
    char *ranks = name_ranks(awaited->waiters, awaited->waiter_count);
    char *text = format_text("%s %s", ranks, is_one_rank(ranks) ? "has" : "have");
    free(ranks);
    return text;
}

/* "ranks [0-2] have waited 61 s for rank 3, which is not in MPI: computing in solve (solve.c:41)". */
static char *describe_wait(const struct awaited_rank *awaited)
{
    char *waiters = describe_waiters(awaited);
    char *place = is_unread(awaited->process)
                      ? format_text("could not be read (%s): it may yet act", awaited->process->reason)
                      : describe_outside(awaited->process);
    char *age = describe_age(awaited->age_s);
    char *sentence = format_text("%s waited%s%s for rank %d, which %s%s", waiters, age[0] != 0 ? " " : "", age,
                                 awaited->process->rank, is_unread(awaited->process) ? "" : "is ", place);
    free(waiters);
    free(place);
    free(age);
    return sentence;
}

/* "ranks [0-2] have waited 61 s for ranks of another MPI_COMM_WORLD"; NULL: nobody does. */
static char *describe_wait_for_strangers(const struct waits *waits, const struct wait_waiters *waiters)
{
    struct awaited_rank awaited = {.age_s = -1};
    add_waiters(waits, waiters, waits->strangers, 2, &awaited);
    if (awaited.waiter_count == 0)
        return NULL;
    char *waiting = describe_waiters(&awaited);
    char *age = describe_age(awaited.age_s);
    char *sentence = format_text("%s waited%s%s for ranks of another MPI_COMM_WORLD, which is judged by itself",
                                 waiting, age[0] != 0 ? " " : "", age);
    free(waiting);
    free(age);
    free(awaited.waiters);
    return sentence;
}

static void add_finding(const struct cause_text *text, const struct awaited_rank *awaited, bool stopped,
                        struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_WAITING_FOR_RANK);
    char *wait = describe_wait(awaited);
    finding->message = stopped ? copy_text(wait) : format_text("%s; it may merely be slow", wait);
    free(wait);
    finding_add_culprit(finding, awaited->process->rank);
    finding_add_rank(finding, awaited->process->rank);
    for (size_t i = 0; i < awaited->waiter_count; i++)
        finding_add_rank(finding, awaited->waiters[i]);
    finding_finish(finding);
    for (size_t i = 0; i < finding->rank_count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->ranks[i]);
        if (process != NULL)
            add_process_evidence(text, process, finding);
    }
    /* The waiters stand still; that the rank does not come is not known, and said. */
    finding->confirmed = job_was_watched(text->waits->job);
}

void live_waits_find(const struct cause_text *text, const struct wait_waiters *waiters, struct findings *findings,
                     char **ret_remark)
{
    const struct waits *waits = text->waits;
    char *remark = NULL;
    double longest = -1;
    for (size_t i = 0; i < waits->job->process_count; i++) {
        const struct process *process = &waits->job->processes[i];
        struct awaited_rank awaited = {.process = process, .age_s = -1};
        const bool unread = is_unread(process);
        if (!unread && !may_be_stuck(process))
            continue;
        add_waiters(waits, waiters, waits->process_nodes[i], 2, &awaited);
        const bool stopped = process->activity == ACTIVITY_STOPPED;
        if (awaited.waiter_count > 0 && !unread && (stopped || awaited.age_s > waits->options->patience_s))
            add_finding(text, &awaited, stopped, findings);
        else if (awaited.waiter_count > 0 && awaited.age_s > longest) {
            longest = awaited.age_s;
            free(remark);
            remark = describe_wait(&awaited);
        }
        free(awaited.waiters);
    }
    *ret_remark = remark != NULL ? remark : describe_wait_for_strangers(waits, waiters);
}
