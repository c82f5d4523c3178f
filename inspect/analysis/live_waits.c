/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits for ranks that can act: they may be slow, or never come back to MPI. Only time tells.
 */
#include "live_waits.h"

#include "allocation.h"
#include "process_activity.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

/* How a rank comes to be able to act. */
enum liveness {
    LIVES_NOT,
    LIVES_UNREAD,  /* what it does is not known, which is no finding */
    LIVES_IN_MPI,  /* a thread goes from call to call */
    LIVES_BESIDE,  /* threads are blocked in MPI, and others are not in MPI */
    LIVES_OUTSIDE, /* it is not in MPI */
};

/* A rank that can act and is waited for. */
struct awaited_rank {
    const struct process *process;
    enum liveness liveness;
    int *waiters;
    size_t waiter_count;
    double age_s; /* of the longest wait */
};

static enum liveness liveness_of(const struct waits *waits, const struct process *process)
{
    const struct wait_node *node = &waits->graph.nodes[waits->process_nodes[process - waits->job->processes]];
    if (process_is_gone(process))
        return LIVES_NOT;
    if (process->reason != NULL)
        return LIVES_UNREAD;
    if (node->mode != WAITS_FOR_NOTHING)
        return LIVES_NOT;
    bool is_blocked = false;
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        const bool is_in_mpi = !thread->ended && thread->function[0] != '\0';
        if (!thread->ended && ((is_in_mpi && !thread->stalled) || thread->called_meanwhile))
            return LIVES_IN_MPI;
        is_blocked = is_blocked || is_in_mpi;
    }
    return is_blocked ? LIVES_BESIDE : LIVES_OUTSIDE;
}

static double lesser(double age_s, double other_s)
{
    return other_s >= 0 && (age_s < 0 || other_s < age_s) ? other_s : age_s;
}

static double since_operations(double age_s, const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++)
        age_s = lesser(age_s, operations->items[i].age_s);
    return age_s;
}

/* Since the process began its last call that is known, but for those that its threads are in; -1: not known. */
static double since_last_call(const struct process *process)
{
    double age_s = -1;
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] == '\0')
            age_s = lesser(age_s, process->threads[i].age_s);
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        age_s = since_operations(age_s, &communicator->sends);
        age_s = since_operations(age_s, &communicator->receives);
        age_s = since_operations(age_s, &communicator->completed);
        for (size_t j = 0; j < communicator->collective_call_count; j++)
            age_s = lesser(age_s, communicator->collectives[j].age_s);
    }
    return age_s;
}

static bool has_been_away_for(const struct process *process, double patience_s)
{
    const double age_s = since_last_call(process);
    return age_s < 0 || age_s > patience_s;
}

/* Walks from a node to the threads that wait for it, through polls, operations and nodes that stand for many. */
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

/* The first thread that goes from call to call, while it is in one. */
static const struct thread *find_active(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0' && !process->threads[i].stalled)
            return &process->threads[i];
    return NULL;
}

/* "goes from one MPI call to the next, such as MPI_Win_flush(...) at a.c:4". */
static char *describe_active(const struct cause_text *text, const struct process *process)
{
    const struct thread *thread = find_active(process);
    if (thread == NULL && process->place[0] == '\0')
        return copy_text("goes on calling MPI");
    char *call = thread != NULL ? describe_call_and_place(text, process, thread) : NULL;
    char *said = thread != NULL ? format_text("goes on calling MPI: is now in %s", call)
                                : format_text("goes on calling MPI from %s", process->place);
    free(call);
    return said;
}

/* "is in MPI_Recv(...) at a.c:7, but has another thread that is not in MPI: computing in work (a.c:3)". */
static char *describe_beside(const struct cause_text *text, const struct process *process)
{
    char *doing = describe_doing(text, process);
    const struct thread_place *place = NULL;
    for (size_t i = 0; i < process->thread_place_count && place == NULL; i++)
        if (!process->thread_places[i].waits_for_threads)
            place = &process->thread_places[i];
    const char *activity = describe_activity(place != NULL ? place->activity : process->activity);
    const char *stack = place != NULL ? place->stack : process->place;
    const int shown = (int)strcspn(stack, ")") + (strchr(stack, ')') != NULL); /* up to the first place */
    char *said = format_text("%s, but has another thread that is not in MPI%s%s%s%.*s", doing,
                             activity[0] != '\0' ? ": " : "", activity, stack[0] != '\0' ? " in " : "", shown, stack);
    free(doing);
    return said;
}

static char *describe_living(const struct cause_text *text, const struct awaited_rank *awaited)
{
    const struct process *process = awaited->process;
    switch (awaited->liveness) {
    case LIVES_UNREAD:
        return format_text("could not be read (%s): it may yet act", process->reason);
    case LIVES_IN_MPI:
        return describe_active(text, process);
    case LIVES_BESIDE:
        return describe_beside(text, process);
    default:
        return describe_doing(text, process);
    }
}

/* "ranks [0-2] have waited 61 s for rank 3, which is not in MPI: computing in solve (solve.c:41)". */
static char *describe_wait(const struct cause_text *text, const struct awaited_rank *awaited)
{
    char *waiters = describe_waiters(awaited);
    char *living = describe_living(text, awaited);
    char *age = describe_age(awaited->age_s);
    char *sentence = format_text("%s waited%s%s for rank %d, which %s", waiters, age[0] != 0 ? " " : "", age,
                                 awaited->process->rank, living);
    free(waiters);
    free(living);
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

static bool is_stopped(const struct awaited_rank *awaited)
{
    return awaited->process->activity == ACTIVITY_STOPPED;
}

static bool may_be_stuck(const struct waits *waits, const struct awaited_rank *awaited)
{
    const double patience_s = waits->options->patience_s;
    const bool is_away = awaited->liveness == LIVES_OUTSIDE || awaited->liveness == LIVES_BESIDE;
    return is_away &&
           (is_stopped(awaited) || (awaited->age_s > patience_s && has_been_away_for(awaited->process, patience_s)));
}

static void add_finding(const struct cause_text *text, const struct awaited_rank *awaited, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_WAITING_FOR_RANK);
    char *wait = describe_wait(text, awaited);
    finding->message = is_stopped(awaited) ? copy_text(wait) : format_text("%s; it may merely be slow", wait);
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
        struct awaited_rank awaited = {.process = process, .liveness = liveness_of(waits, process), .age_s = -1};
        if (awaited.liveness == LIVES_NOT)
            continue;
        add_waiters(waits, waiters, waits->process_nodes[i], 3, &awaited);
        if (awaited.waiter_count > 0 && may_be_stuck(waits, &awaited))
            add_finding(text, &awaited, findings);
        else if (awaited.waiter_count > 0 && awaited.age_s > longest) {
            longest = awaited.age_s;
            free(remark);
            remark = describe_wait(text, &awaited);
        }
        free(awaited.waiters);
    }
    *ret_remark = remark != NULL ? remark : describe_wait_for_strangers(waits, waiters);
}
