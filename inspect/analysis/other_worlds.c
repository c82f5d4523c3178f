/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits for ranks of another MPI_COMM_WORLD of the same launcher.
 *
 * Which rank waits for which one of the other world is not known. But where all ranks of two worlds that know no third
 * one wait at one moment, none of them sends anything, and they are not all in the same collective call, no rank ever
 * goes on.
 */
#include "analysis/analysis_internal.h"

#include "analysis/analysis.h"
#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "analysis/stalls/stalls.h"
#include "base/base.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

/* Places of ranks that a sentence names, for each world. */
enum { MOST_NAMED = 4 };

/* The states of a world, the worst for others first. */
enum outlook {
    OUTLOOK_FAULTY, /* a finding is about its own ranks */
    OUTLOOK_SHUT,   /* no rank of it can go on by itself */
    OUTLOOK_AWAY,   /* ranks that can act have not called MPI for longer than the patience */
    OUTLOOK_OPEN,   /* some rank may act */
};

struct world {
    const struct job *job;
    enum outlook outlook;
    const char *doing; /* of faulty ones: the finding; of open ones: a remark, NULL: none */
};

/* It was in its call before the first world was read: all ranks of all worlds wait at one moment. */
static bool has_waited_long(const struct process *process, double patience_s)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (thread_is_blocked(&process->threads[i]) && process->threads[i].age_s <= patience_s)
            return false;
    return true;
}

static bool is_shut(const struct waits *alone, size_t number)
{
    const struct process *process = &alone->job->processes[number];
    return !process_is_gone(process) && alone->graph.nodes[alone->process_nodes[number]].dead &&
           has_waited_long(process, alone->options->patience_s);
}

static enum outlook look_at(const struct waits *alone)
{
    const struct job *job = alone->job;
    enum outlook outlook = OUTLOOK_SHUT;
    if (!job_was_watched(job) || job->absent.count > 0)
        return OUTLOOK_OPEN;
    for (size_t i = 0; i < job->process_count && outlook != OUTLOOK_OPEN; i++)
        if (!is_shut(alone, i))
            outlook = process_is_away(alone, &job->processes[i]) ? OUTLOOK_AWAY : OUTLOOK_OPEN;
    return outlook;
}

/* "rank 0 is in MPI_Recv(...) at a.c:7, each of ranks [1,2] is not in MPI: computing in work (a.c:3)". */
static const char *describe_ranks(const struct waits *alone)
{
    const struct job *job = alone->job;
    struct communicator_labels labels = label_communicators(job);
    const struct cause_text text = {.waits = alone, .labels = &labels};
    struct rank_texts texts = {.count = 0};
    for (size_t i = 0; i < job->process_count; i++)
        rank_texts_add_rank(&texts, describe_doing(&text, &job->processes[i]), job->processes[i].rank);
    FILE *stream = arena_open();
    for (size_t i = 0; i < texts.count && i < MOST_NAMED; i++) {
        struct ranks *ranks = &texts.items[i]->ranks;
        ranks_finish(ranks);
        fprintf(stream, "%s%s%s %s", i > 0 ? ", " : "", ranks->count > 1 ? "each of " : "", ranks_name(ranks),
                texts.items[i]->text);
    }
    if (texts.count > MOST_NAMED)
        fprintf(stream, ", and others are at %zu more places", texts.count - MOST_NAMED);
    return arena_close(stream);
}

/* The finding that comes first, if it is certain and its ranks do not go on, and a remark on what stacks tell; NULL:
 * there is none. */
static const char *judge_itself(const struct job *job, const struct analysis_options *options, const char **ret_remark)
{
    struct analysis own;
    const char *seen = NULL, *text = NULL;
    analyze(job, options, &own);
    ranks_apart_find(job, options->patience_s, &own.findings, &seen);
    const struct finding *first = own.findings.count > 0 ? &own.findings.items[0] : NULL;
    const bool is_seen = first != NULL && first->kind == FINDING_RANKS_APART; /* from stacks, where each look counts */
    if (first != NULL && (first->confirmed || is_seen) && first->kind != FINDING_QUEUE_GROWTH)
        text = arena_text("%s: %s", finding_kind_name(first->kind), first->message);
    *ret_remark = seen;
    analysis_clear(&own);
    return text;
}

static struct world judge(const struct job *job, const struct analysis_options *options)
{
    struct world world = {.job = job, .outlook = OUTLOOK_FAULTY};
    const char *remark;
    struct waits alone;
    if (job->process_count == 0)
        return (struct world){.job = job, .outlook = OUTLOOK_OPEN};
    world.doing = judge_itself(job, options, &remark);
    if (world.doing != NULL)
        return world;
    waits_find_alone(job, options, &alone);
    world.outlook = look_at(&alone);
    world.doing = world.outlook != OUTLOOK_OPEN ? describe_ranks(&alone) : remark;
    return world;
}

static bool is_shut_itself(const struct waits *waits)
{
    struct waits alone;
    waits_find_alone(waits->job, waits->options, &alone);
    const bool is_shut = look_at(&alone) == OUTLOOK_SHUT;
    return is_shut;
}

/* Its intercommunicator, if any, is with a world of that size. */
static bool knows_no_third(const struct process *process, const struct job *own, const struct job *other)
{
    size_t count = 0;
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *one = &process->communicators[i];
        if (one->intercommunicator && (++count > 1 || one->size != own->size || one->remote_size != other->size))
            return false;
    }
    return true;
}

static bool sends_something(const struct process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        for (size_t j = 0; j < process->communicators[i].sends.count; j++)
            if (operation_is_active(&process->communicators[i].sends.items[j]))
                return true;
    return false;
}

static bool knows_one_and_sends_nothing(const struct job *job, const struct job *other)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (!knows_no_third(&job->processes[i], job, other) || sends_something(&job->processes[i]))
            return false;
    return true;
}

/* The collective call that all threads of the job that wait are in; `function`: of others before, "": none. NULL: it is
 * not one call. */
static const char *common_call(const struct job *job, const char *function)
{
    for (size_t i = 0; i < job->process_count && function != NULL; i++)
        for (size_t j = 0; j < job->processes[i].thread_count && function != NULL; j++) {
            const struct thread *thread = &job->processes[i].threads[j];
            const bool is_other = function[0] != '\0' && strcmp(function, thread->function) != 0;
            if (thread_is_blocked(thread))
                function = is_other || thread->call_class == MPILENS_CALL_POINT_TO_POINT ? NULL : thread->function;
        }
    return function;
}

/* Otherwise they may be in the middle of an exchange with the other world. */
static bool can_never_meet(const struct job *job, const struct job *other)
{
    const char *common = common_call(job, "");
    return knows_one_and_sends_nothing(job, other) && knows_one_and_sends_nothing(other, job) &&
           (common == NULL || common_call(other, common) == NULL);
}

static const char *describe_wait(const struct awaited_ranks *awaited)
{
    return arena_text("%s %s waited %s for ranks of another MPI_COMM_WORLD", ranks_name(&awaited->waiters),
                      awaited->waiters.count == 1 ? "has" : "have", describe_age(awaited->age_s));
}

/* Only ranks of this world can be named by their numbers: if they wait for the other world, nobody here is to blame. */
static void add_finding(const struct cause_text *text, const struct awaited_ranks *awaited, const struct world *world,
                        enum finding_kind kind, const char *message, struct findings *findings)
{
    struct finding *finding = findings_add(findings, kind);
    finding->message = message;
    finding->remedy =
        arena_text("'mpilens why %ld' judges the other MPI_COMM_WORLD", (long)world->job->processes[0].pid);
    ranks_add_all(&finding->ranks, &awaited->waiters);
    if (kind == FINDING_DEADLOCK)
        ranks_add_all(&finding->culprits, &awaited->waiters);
    finding_finish(finding);
    for (size_t i = 0; i < finding->ranks.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->ranks.items[i]);
        if (process != NULL)
            add_process_evidence(text, process, finding);
    }
    evidence_close(&finding->evidence, false);
    finding->confirmed = true;
}

static bool has_stopped(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].activity == ACTIVITY_STOPPED)
            return true;
    return false;
}

/* Reports the first of several worlds that has a finding; of a single world also what it does. */
static void tell(const struct cause_text *text, const struct awaited_ranks *awaited, const struct world *worlds,
                 struct findings *findings)
{
    const size_t count = text->waits->job->other_world_count;
    const char *wait = describe_wait(awaited);
    for (size_t i = 0; i < count; i++)
        if (worlds[i].outlook == OUTLOOK_FAULTY) {
            add_finding(text, awaited, &worlds[i], FINDING_WAITING_FOR_RANK,
                        arena_text("%s%s %s", wait,
                                   count > 1 ? "; one of the other worlds has the verdict" : ", whose own verdict is",
                                   worlds[i].doing),
                        findings);
            return;
        }
    if (count == 1 && worlds[0].outlook == OUTLOOK_AWAY)
        add_finding(text, awaited, &worlds[0], FINDING_WAITING_FOR_RANK,
                    arena_text("%s, where %s%s", wait, worlds[0].doing,
                               has_stopped(worlds[0].job) ? "" : "; that world may just be slow"),
                    findings);
    else if (count == 1 && worlds[0].outlook == OUTLOOK_SHUT && is_shut_itself(text->waits) &&
             can_never_meet(text->waits->job, worlds[0].job))
        add_finding(text, awaited, &worlds[0], FINDING_DEADLOCK,
                    arena_text("%s, where %s: neither world can go on before the other", wait, worlds[0].doing),
                    findings);
}

static void find(const struct cause_text *text, const struct awaited_ranks *awaited, struct analysis *analysis)
{
    const struct job *job = text->waits->job;
    struct analysis_options options = *text->waits->options;
    struct world *worlds = allocate(job->other_world_count * sizeof *worlds);
    if (options.patience_s < job->other_worlds_took_s) /* they have waited since before the first one was read */
        options.patience_s = job->other_worlds_took_s;
    for (size_t i = 0; i < job->other_world_count; i++)
        worlds[i] = judge(&job->other_worlds[i], &options);
    tell(text, awaited, worlds, &analysis->findings);
    if (analysis->findings.count == 0 && job->other_world_count == 1 && worlds[0].outlook == OUTLOOK_OPEN &&
        worlds[0].doing != NULL && analysis->remark != NULL)
        analysis->remark = arena_text("%s; there, %s", analysis->remark, worlds[0].doing);
    free(worlds);
}

static void add_waits(const struct job *job, const struct analysis_options *options, struct analysis *analysis)
{
    struct waits waits;
    waits_find(job, options, &waits);
    struct communicator_labels labels = label_communicators(job);
    const struct cause_text text = {.waits = &waits, .labels = &labels};
    struct wait_waiters waiters = wait_graph_list_waiters(&waits.graph);
    struct awaited_ranks awaited = awaited_strangers_find(&waits, &waiters);
    if (awaited.waiters.count > 0 && awaited.age_s > options->patience_s)
        find(&text, &awaited, analysis);
}

void analyze_with_other_worlds(const struct job *job, const struct analysis_options *options,
                               struct analysis *ret_analysis)
{
    analyze(job, options, ret_analysis);
    if (ret_analysis->findings.count > 0 || job->other_world_count == 0 || !job_was_watched(job))
        return;
    struct arena *outer = arena_use(&ret_analysis->texts);
    add_waits(job, options, ret_analysis);
    arena_use(outer);
}
