/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits for ranks that can act: they may be slow, or never come back to MPI. Only time tells.
 */
#include "analysis/analysis_internal.h"

#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "base/base.h"
#include "stack/stack.h"

#include <stdlib.h>
#include <string.h>

static const char *describe_waiters(const struct awaited_ranks *awaited)
{
    const char *ranks = ranks_name(&awaited->waiters);
    return arena_text("%s %s", ranks, awaited->waiters.count == 1 ? "has" : "have");
}

/* The first thread that goes from call to call, while it is in one. */
static const struct thread *find_active(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0' && !process->threads[i].stalled)
            return &process->threads[i];
    return NULL;
}

/* "keeps calling MPI, and is now in MPI_Win_flush(...) at a.c:4"; or whether it does is not known. */
static const char *describe_active(const struct cause_text *text, const struct process *process)
{
    const struct thread *thread = find_active(process);
    if (thread == NULL && process->place[0] == '\0')
        return "keeps calling MPI";
    const char *call = thread != NULL ? describe_call_and_place(text, process, thread) : NULL;
    if (thread != NULL && process->lacked_processor_s > 0)
        return arena_text("is in %s", call);
    return thread != NULL ? arena_text("keeps calling MPI, and is now in %s", call)
                          : arena_text("keeps calling MPI from %s", process->place);
}

/* "is in MPI_Recv(...) at a.c:7, but has another thread that is not in MPI: computing in work (a.c:3)". */
static const char *describe_beside(const struct cause_text *text, const struct process *process)
{
    const char *doing = describe_doing(text, process);
    const struct thread_place *place = NULL;
    for (size_t i = 0; i < process->thread_place_count && place == NULL; i++)
        if (!process->thread_places[i].waits_for_threads)
            place = &process->thread_places[i];
    const char *activity = describe_activity(place != NULL ? place->activity : process->activity);
    const char *called = place != NULL ? place->called : "";
    const char *where = place != NULL ? place->innermost : process->place;
    return arena_text("%s, but has another thread that is not in MPI%s%s%s%s%s%s", doing,
                      activity[0] != '\0' ? ": " : "", activity, where[0] != '\0' ? " in " : "", called,
                      called[0] != '\0' ? " < " : "", where);
}

/* It keeps looking into memory that nobody changes, or has much to do there. */
static bool may_poll_in_vain(const struct waits *waits, const struct awaited_ranks *awaited)
{
    return awaited->liveness == LIVES_IN_MPI && awaited->only_accesses && awaited->age_s > waits->options->patience_s;
}

static const char *describe_living(const struct cause_text *text, const struct awaited_ranks *awaited,
                                   const struct process *process)
{
    switch (awaited->liveness) {
    case LIVES_UNREAD:
        return arena_text("could not be read (%s): it may still act", process->reason);
    case LIVES_IN_MPI:
        return may_poll_in_vain(text->waits, awaited)
                   ? "keeps accessing windows, and has begun no message or collective call all that time"
                   : describe_active(text, process);
    case LIVES_BESIDE:
        return describe_beside(text, process);
    default:
        return process->has_ended ? arena_text("was not in MPI when it ended%s", describe_last_call(process))
                                  : describe_doing(text, process);
    }
}

static bool all_live_alike(const struct cause_text *text, const struct awaited_ranks *awaited, const char *like)
{
    bool alike = true;
    for (size_t i = 1; i < awaited->count && alike; i++) {
        const char *living = describe_living(text, awaited, awaited->processes[i]);
        alike = strcmp(living, like) == 0;
    }
    return alike;
}

/* "rank 3, which is not in MPI: computing in solve (solve.c:41)"; of several: "ranks [3,4], each of which ...", or "the
 * first of which ...". */
static const char *describe_awaited(const struct cause_text *text, const struct awaited_ranks *awaited)
{
    struct ranks ranks = {0};
    for (size_t i = 0; i < awaited->count; i++)
        ranks_add(&ranks, awaited->processes[i]->rank);
    ranks_finish(&ranks);
    const char *names = ranks_name(&ranks);
    const char *living = describe_living(text, awaited, awaited->processes[0]);
    const char *which = "which";
    if (awaited->count > 1)
        which = all_live_alike(text, awaited, living) ? "each of which" : "the first of which";
    return arena_text("%s, %s %s", names, which, living);
}

/* "ranks [0-2] have waited 61 s for rank 3, which is not in MPI: computing in solve (solve.c:41)". */
static const char *describe_wait(const struct cause_text *text, const struct awaited_ranks *awaited)
{
    const char *waiters = describe_waiters(awaited);
    const char *age = describe_age(awaited->age_s);
    return arena_text("%s waited%s%s for %s", waiters, age[0] != 0 ? " " : "", age, describe_awaited(text, awaited));
}

/* The command that judges the other world; "": its ranks are not known. */
static const char *advise_on_strangers(const struct waits *waits, const struct awaited_ranks *awaited)
{
    const struct job *job = waits->job;
    const char *patience = describe_age(waits->options->patience_s);
    if (job->other_world_pid == 0)
        return "";
    if (job->snapshot == NULL && awaited->age_s <= waits->options->patience_s)
        return arena_text(": 'mpilens why %ld'; after %s both are judged together", (long)job->other_world_pid,
                          patience);
    return arena_text(": 'mpilens why %ld'", (long)job->other_world_pid);
}

/* "ranks [0-2] have waited 61 s for ranks of another MPI_COMM_WORLD"; NULL: nobody does. */
static const char *describe_wait_for_strangers(const struct waits *waits, const struct wait_waiters *waiters)
{
    struct awaited_ranks awaited = awaited_strangers_find(waits, waiters);
    if (awaited.waiters.count == 0)
        return NULL;
    const char *waiting = describe_waiters(&awaited);
    const char *age = describe_age(awaited.age_s);
    const char *sentence = arena_text("%s waited%s%s for ranks of another MPI_COMM_WORLD, which is judged separately%s",
                                      waiting, age[0] != 0 ? " " : "", age, advise_on_strangers(waits, &awaited));
    return sentence;
}

static bool may_be_stuck(const struct waits *waits, const struct awaited_ranks *awaited)
{
    const bool is_outside = awaited->liveness == LIVES_OUTSIDE || awaited->liveness == LIVES_BESIDE;
    const bool is_locked = awaited->count == 1 && awaited->processes[0]->locked_circle[0] != '\0';
    return may_poll_in_vain(waits, awaited) || is_locked ||
           (is_outside && (awaited->is_stopped || (awaited->age_s > waits->options->patience_s && awaited->is_away)));
}

/* "its main thread waits in heat (heat.c:7) for a mutex that it has locked itself"; NULL: it may go on. */
static const char *describe_dead_end(const struct awaited_ranks *awaited)
{
    const struct process *process = awaited->processes[0];
    if (awaited->count > 1)
        return NULL;
    if (process->lock_holder >= 0 && ranks_has(&awaited->waiters, process->lock_holder))
        return arena_text("rank %d, which has the lock, waits for it", process->lock_holder);
    return process->locked_circle[0] != '\0' ? process->locked_circle : NULL;
}

static void add_ranks(struct finding *finding, const struct awaited_ranks *awaited)
{
    for (size_t i = 0; i < awaited->count; i++) {
        ranks_add(&finding->culprits, awaited->processes[i]->rank);
        ranks_add(&finding->ranks, awaited->processes[i]->rank);
    }
    ranks_add_all(&finding->ranks, &awaited->waiters);
}

static void add_finding(const struct cause_text *text, const struct awaited_ranks *awaited, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_WAITING_FOR_RANK);
    const char *wait = describe_wait(text, awaited);
    const char *subject = awaited->count == 1 ? "it" : "they";
    const bool polls_in_vain = may_poll_in_vain(text->waits, awaited);
    const char *dead_end = describe_dead_end(awaited);
    if (dead_end != NULL)
        finding->message = arena_text("%s; it cannot go on: %s", wait, dead_end);
    else if (awaited->is_stopped)
        finding->message = arena_copy(wait);
    else if (polls_in_vain)
        finding->message = arena_text("%s; %s may be slow, or look for what nobody puts there", wait, subject);
    else
        finding->message = arena_text("%s; %s may just be slow", wait, subject);
    if (polls_in_vain)
        finding->remedy = "find who is to put what it looks for: that rank must not wait for it before";
    else if (!awaited->is_stopped && dead_end == NULL && awaited->waiting != NULL && is_access_call(awaited->waiting))
        finding->remedy = "let it call MPI from time to time while it waits or computes, such as MPI_Iprobe, or "
                          "have MPI make progress by itself: accesses to its memory may need its MPI library";
    add_ranks(finding, awaited);
    finding_finish(finding);
    for (size_t i = 0; i < finding->ranks.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->ranks.items[i]);
        if (process != NULL)
            add_process_evidence(text, process, finding);
    }
    /* The waiters stand still; that the rank does not come is not known, and said. */
    finding->confirmed = job_was_watched(text->waits->job);
}

/* Ranks that are awaited in one place while they are in one place. */
struct told_wait {
    const struct site *site;
    const char *function, *place;
    bool is_stopped;
    size_t finding;
};

static int compare_told(const void *left_wait, const void *right_wait)
{
    const struct told_wait *left = left_wait;
    const struct told_wait *right = right_wait;
    if (left->site != right->site)
        return left->site < right->site ? -1 : 1;
    if (left->is_stopped != right->is_stopped)
        return left->is_stopped - right->is_stopped;
    const int order = strcmp(left->function, right->function);
    return order != 0 ? order : strcmp(left->place, right->place);
}

/* Adds the finding, or joins it with one that is like it. */
static void take_finding(const struct cause_text *text, const struct awaited_ranks *awaited, struct arena_node **told,
                         struct findings *findings)
{
    struct told_wait *wanted = arena_allocate(sizeof *wanted);
    *wanted = (struct told_wait){.site = awaited->waiting->site,
                                 .function = awaited->waiting->function,
                                 .place = awaited->processes[0]->place,
                                 .is_stopped = awaited->is_stopped,
                                 .finding = findings->count};
    const struct told_wait *found = arena_search(wanted, told, compare_told);
    if (found == wanted) {
        add_finding(text, awaited, findings);
        return;
    }
    add_ranks(&findings->items[found->finding], awaited);
    findings->items[found->finding].alike++;
}

void live_waits_find(const struct cause_text *text, const struct wait_waiters *waiters, struct findings *findings,
                     const char **ret_remark)
{
    const struct waits *waits = text->waits;
    struct awaited_list list = awaited_ranks_find(waits, waiters);
    const struct awaited_ranks *longest = NULL;
    struct arena_node *told = NULL;
    for (size_t i = 0; i < list.count; i++) {
        const struct awaited_ranks *awaited = &list.items[i];
        if (is_on_lost_host(awaited))
            continue;
        if (awaited->waiters.count > 0 && may_be_stuck(waits, awaited))
            take_finding(text, awaited, &told, findings);
        else if (awaited->waiters.count > 0 && (longest == NULL || awaited->age_s > longest->age_s))
            longest = awaited;
    }
    lost_hosts_find(text, &list, findings);
    *ret_remark = longest != NULL ? describe_wait(text, longest) : describe_wait_for_strangers(waits, waiters);
}
