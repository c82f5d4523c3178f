/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Turns a job into its findings: builds the wait-for graph, finds causes, words them.
 */

#include "analysis/analysis_internal.h"
#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/faults/faults.h"
#include "analysis/findings/findings.h"
#include "analysis/graph/graph.h"
#include "analysis/stalls/stalls.h"
#include "base/base.h"

#include <stdlib.h>

struct analysis_options analysis_default_options(void)
{
    return (struct analysis_options){.patience_s = 60, .growth = 10000};
}

/* Findings on their way. */
struct verdict {
    const struct job *job;
    const struct waits *waits;
    struct wait_waiters waiters;
    struct cause_text text;
    struct findings findings;
    struct cause_shapes shapes;
    uint32_t *finding_of; /* by component: the finding that it is the cause of, NO_FINDING: none */
    bool *is_told;        /* by node: another finding names the ranks that its waiters wait for */
};

static bool has_unseen_threads(const struct verdict *verdict, const struct finding *finding)
{
    for (size_t i = 0; i < finding->ranks.count; i++) {
        const struct process *process = job_index_process(&verdict->waits->index, finding->ranks.items[i]);
        if (process != NULL && process->unseen_threads > 0 && !process_is_gone(process))
            return true;
    }
    return false;
}

static bool is_confirmed(const struct verdict *verdict, const struct finding *finding)
{
    if (!job_was_watched(verdict->job) || has_unseen_threads(verdict, finding))
        return false;
    for (size_t i = 0; i < finding->ranks.count; i++) {
        const struct process *process = job_index_process(&verdict->waits->index, finding->ranks.items[i]);
        bool stays = process != NULL && process_is_gone(process);
        for (size_t j = 0; process != NULL && j < process->thread_count; j++)
            stays = stays || thread_is_blocked(&process->threads[j]);
        if (!stays)
            return false;
    }
    return true;
}

static void add_ranks(struct finding *finding, const struct cause *cause)
{
    ranks_add_all(&finding->ranks, &cause->ranks);
    ranks_add_all(&finding->culprits, &cause->culprits);
}

static void take_cause(struct verdict *verdict, const struct cause *cause)
{
    size_t number;
    const enum cause_novelty novelty =
        cause_shapes_take(&verdict->shapes, verdict->waits, cause, verdict->findings.count, &number);
    verdict->finding_of[cause->component] = (uint32_t)number;
    if (novelty == CAUSE_IS_ALIKE) {
        add_ranks(&verdict->findings.items[number], cause);
        verdict->findings.items[number].alike++;
    }
    if (novelty != CAUSE_IS_NEW)
        return;
    struct finding *finding = findings_add(&verdict->findings, cause->kind);
    add_ranks(finding, cause);
    finding_finish(finding);
    finding->message = cause_describe(&verdict->text, cause);
    finding->remedy = cause_advise(&verdict->text, cause);
    cause_add_evidence(&verdict->text, cause, finding);
    finding->confirmed = is_confirmed(verdict, finding);
}

/* Whether the process at this node is missing only in calls that another finding has reported. */
static bool is_told(const struct verdict *verdict, uint32_t node)
{
    const uint32_t first = verdict->waiters.starts[node], end = verdict->waiters.starts[node + 1];
    for (uint32_t i = first; i < end; i++)
        if (verdict->waits->graph.nodes[verdict->waiters.items[i]].dead && !verdict->is_told[verdict->waiters.items[i]])
            return false;
    return true;
}

static bool has_ended(const struct verdict *verdict, uint32_t node)
{
    const struct wait_subject *subject = &verdict->waits->subjects[node];
    return subject->kind == SUBJECT_PROCESS && verdict->job->processes[subject->process].state == PROCESS_EXITED;
}

static void find_cause(struct verdict *verdict, uint32_t component, uint32_t node)
{
    /* A process that is gone and for which nobody waits is nothing to tell. */
    if (!verdict->waits->graph.components[component].is_cyclic &&
        verdict->waits->subjects[node].kind == SUBJECT_PROCESS && is_told(verdict, node))
        return;
    struct cause cause;
    cause_find(verdict->waits, &verdict->waiters, verdict->is_told, component, &cause);
    meeting_tell(verdict->waits, &cause, verdict->is_told);
    for (size_t i = 0; i < cause.crowd_count; i++)
        cause_tell_crowd(verdict->waits, cause.crowds[i], verdict->is_told);
    take_cause(verdict, &cause);
}

/* Processes that have ended before their time come first: those in MPI_Finalize have not. */
static void find_causes(struct verdict *verdict)
{
    const struct wait_graph *graph = &verdict->waits->graph;
    for (size_t i = 0; i < graph->component_count; i++)
        verdict->finding_of[i] = NO_FINDING;
    for (int ended = 1; ended >= 0; ended--)
        for (size_t i = 0; i < graph->component_count; i++) {
            const uint32_t node = graph->by_component[graph->components[i].first];
            if (graph->components[i].is_sink && has_ended(verdict, node) == (ended == 1))
                find_cause(verdict, (uint32_t)i, node);
        }
}

/* Where nothing else explains why ranks stand still. `remark`: of others that wait, or NULL. */
static void find_library_stalls(struct verdict *verdict, const char **remark)
{
    const char *stall;
    if (verdict->findings.count > 0)
        return;
    library_stall_find(&verdict->text, &verdict->findings, &stall);
    if (*remark == NULL)
        *remark = stall;
}

static void finish(struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->findings.count; i++) {
        struct finding *finding = &verdict->findings.items[i];
        ranks_finish(&finding->ranks);
        withheld_messages_add(verdict->job, verdict->text.labels, finding);
        left_messages_add(verdict->job, verdict->text.labels, finding);
        mpi_errors_add_returned(verdict->job, verdict->text.labels, finding);
        evidence_close(&finding->evidence, false);
        finding_finish(finding);
        if (finding->alike > 0)
            finding->message = arena_text("%s; %zu more group%s stuck in the same way", finding->message,
                                          finding->alike, finding->alike > 1 ? "s are" : " is");
        /* Where a thread that was never seen may act, the sentence says so. */
        if (!finding->confirmed && (verdict->job->samples < 2 || !has_unseen_threads(verdict, finding)))
            finding->message = arena_text("%s (%s)", finding->message,
                                          verdict->job->samples < 2 ? "read only once: they may have gone on since"
                                                                    : "not confirmed: not all of them stood still");
    }
}

/* Certain findings first, then those that explain more, then those that concern more ranks. */
static int compare_findings(const void *left_finding, const void *right_finding)
{
    const struct finding *left = left_finding;
    const struct finding *right = right_finding;
    if (left->confirmed != right->confirmed)
        return left->confirmed ? -1 : 1;
    const int left_importance = finding_kind_facts(left->kind)->importance;
    const int right_importance = finding_kind_facts(right->kind)->importance;
    if (left_importance != right_importance)
        return left_importance - right_importance;
    if (left->ranks.count != right->ranks.count)
        return left->ranks.count > right->ranks.count ? -1 : 1;
    return left->ranks.count > 0 ? left->ranks.items[0] - right->ranks.items[0] : 0;
}

void analyze(const struct job *job, const struct analysis_options *options, struct analysis *ret_analysis)
{
    if (job->launch_problem != NULL) {
        *ret_analysis = (struct analysis){.remark = NULL};
        struct arena *outer = arena_use(&ret_analysis->texts);
        ret_analysis->findings = launch_mismatch_find(job);
        arena_use(outer);
        return;
    }
    struct analysis analysis = {.remark = NULL};
    struct arena graph = {0};
    struct arena *outer = arena_use(&graph);
    struct waits waits;
    waits_find(job, options, &waits);
    struct communicator_labels labels = label_communicators(job);
    struct wait_waiters waiters = wait_graph_list_waiters(&waits.graph);
    arena_use(&analysis.texts);
    struct verdict verdict = {
        .job = job,
        .waits = &waits,
        .waiters = waiters,
        .text = {.waits = &waits, .labels = &labels},
        .finding_of = allocate((waits.graph.component_count + 1) * sizeof *verdict.finding_of),
        .is_told = allocate((waits.graph.node_count + 1) * sizeof *verdict.is_told),
    };
    find_causes(&verdict);
    consequences_add(&verdict.text, &verdict.waiters, verdict.finding_of, &verdict.findings);
    live_waits_find(&verdict.text, &verdict.waiters, &verdict.findings, &analysis.remark);
    traffic_find(&verdict.text, &verdict.findings);
    mpi_errors_find(&verdict.text, &verdict.findings);
    early_exits_find(&verdict.text, &verdict.findings);
    start_up_find(&verdict.text, &verdict.findings, &analysis.remark);
    if (verdict.findings.count == 0)
        out_of_step_add(&verdict.text, &verdict.findings);
    if (verdict.findings.count == 0)
        other_roots_add(&verdict.text, &verdict.findings);
    if (verdict.findings.count == 0)
        collective_mismatch_add(&verdict.text, &verdict.findings);
    find_library_stalls(&verdict, &analysis.remark);
    if (analysis.remark == NULL && verdict.findings.count == 0)
        analysis.remark = hidden_waits_describe(&verdict.text);
    if (verdict.findings.count == 0) {
        analysis.remark = left_messages_remark(job, &labels, analysis.remark);
        analysis.remark = mpi_errors_remark(job, &labels, analysis.remark);
    }
    if (verdict.findings.count == 0)
        analysis.remark = starved_ranks_remark(job, analysis.remark);
    finish(&verdict);
    if (verdict.findings.count > 1)
        qsort(verdict.findings.items, verdict.findings.count, sizeof *verdict.findings.items, compare_findings);
    analysis.findings = verdict.findings;
    rank_waits_list(&waits, verdict.finding_of, &analysis);
    free(verdict.finding_of);
    free(verdict.is_told);
    arena_clear(&graph);
    arena_use(outer);
    *ret_analysis = analysis;
}

void analysis_clear(struct analysis *analysis)
{
    arena_clear(&analysis->texts);
    *analysis = (struct analysis){.remark = NULL};
}
