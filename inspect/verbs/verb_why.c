/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens why: reports the ranks that can never continue, and the rank to blame.
 */
#include "analysis/analysis.h"
#include "analysis/stalls/stalls.h"
#include "base/base.h"
#include "render/graph/render_graph.h"
#include "render/html/render_html.h"
#include "render/json/render_json.h"
#include "render/machine/machine.h"
#include "render/text/render_text.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char description[] =
    "Report which ranks of a job can never continue, which rank is to blame, and what does not match.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun) or the name of the program, any of which "
    "stands for the whole job, or a "
    "core file, or a snapshot. Several PIDs or core files name single ranks of one job; several snapshots, such as one "
    "of each host, are parts of one job. Without TARGET, the only job of this user on this host is meant.\n\n"
    "The job is read twice and not stopped. Only ranks that stood still in between are reported. A job that is merely "
    "slow gets no finding. When ranks have done their part and nothing has moved for longer than --patience, "
    "that is one: the MPI library or the network has not (library-stall).\n\n"
    "For ranks without the runtime, only the call stacks are read: the finding ranks-apart says that they are at "
    "different places, not that this is wrong.\n\n"
    "With --rank, only findings that concern or blame these ranks are shown, and only these decide the exit status.\n\n"
    "Exit status: 0 nothing wrong was found, 1 something was, 2 wrong usage, 3 some rank could not be read, or "
    "only its call stacks, and nothing wrong was found in the others.\n\n"
    "Examples:\n"
    "  mpilens why\n"
    "  mpilens why 4711 --interval 2\n"
    "  mpilens why --json core.4711 core.4712\n"
    "  mpilens why n1.mpilens n2.mpilens\n"
    "  mpilens why --svg 4711 > hang.svg\n"
    "  mpilens why --html hang.html 4711\n"
    "  mpilens why --html hang.html --watch 10s 4711\n"
    "  mpilens why --format markdown 4711 > ticket.md";

static struct machine_verdict verdict_of(const struct options *options, const struct job *job,
                                         const struct analysis *analysis)
{
    return (struct machine_verdict){.verb = "why",
                                    .job = job,
                                    .findings = &analysis->findings,
                                    .analysis = analysis,
                                    .options = &options->render,
                                    .elapsed_s = -1};
}

/* 0, or -1 and a reason. */
static int render(const struct options *options, const struct job *job, const struct analysis *analysis,
                  struct reason *ret_reason)
{
    const struct machine_verdict verdict = verdict_of(options, job, analysis);
    switch (options->form) {
    case FORM_DOT:
        return render_why_dot(stdout, job, analysis, ret_reason);
    case FORM_SVG:
        return render_why_svg(stdout, job, analysis, ret_reason);
    case FORM_HTML:
        return render_why_html(options->html, job, analysis, &options->render, ret_reason);
    case FORM_MACHINE:
        if (machine_write(stdout, options->format, &verdict) == 0)
            return 0;
        break;
    case FORM_JSON:
        if (render_why_json(stdout, job, analysis, &options->render) == 0)
            return 0;
        break;
    default:
        if (render_why_text(stdout, job, analysis, &options->render) == 0)
            return 0;
    }
    return reason_set(ret_reason, "standard output: %s", strerror(errno));
}

/* Adds what was seen of ranks without the runtime. */
static void add_what_was_seen(const struct job *job, double patience_s, struct analysis *analysis)
{
    const char *remark = NULL;
    ranks_apart_find(job, patience_s, &analysis->findings, &remark);
    if (remark != NULL)
        analysis->remark = remark;
}

static bool has_polls(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].thread_count; j++)
            if (job->processes[i].threads[j].polling)
                return true;
    return false;
}

/* Whether all findings are waits that never end: waiting longer proves no more. */
static bool is_settled(const struct options *options, const struct job *job)
{
    struct analysis analysis;
    if (has_polls(job))
        return false;
    analyze(job, &options->verdict, &analysis);
    bool is_certain = analysis.findings.count > 0;
    for (size_t i = 0; i < analysis.findings.count; i++)
        is_certain = is_certain && analysis.findings.items[i].confirmed &&
                     finding_kind_facts(analysis.findings.items[i].kind)->is_endless;
    analysis_clear(&analysis);
    return is_certain;
}

enum exit_status verb_why_judge(const struct options *options, const struct job *job, struct analysis *ret_analysis)
{
    struct analysis *analysis = ret_analysis;
    analyze_with_other_worlds(job, &options->verdict, analysis);
    struct arena *outer = arena_use(&analysis->texts);
    add_what_was_seen(job, options->verdict.patience_s, analysis);
    findings_add_crashes(job, &analysis->findings);
    arena_use(outer);
    analysis->left_out = findings_keep_ranks(&analysis->findings, &options->render.ranks);
    enum exit_status status = analysis->findings.count > 0 ? EXIT_FINDING : EXIT_GOOD;
    for (size_t i = 0; i < job->process_count && status == EXIT_GOOD; i++)
        if (job->processes[i].state == PROCESS_UNREADABLE)
            status = EXIT_UNREADABLE;
    if (status == EXIT_GOOD && job->absent.count > 0)
        status = EXIT_UNREADABLE;
    return status;
}

static enum exit_status judge(const struct options *options, const struct job *job)
{
    struct analysis analysis;
    enum exit_status status = verb_why_judge(options, job, &analysis);
    struct reason reason;
    if (render(options, job, &analysis, &reason) != 0) {
        print_line(stderr, "mpilens: %s", reason.text);
        status = EXIT_UNREADABLE;
    }
    const struct machine_verdict verdict = verdict_of(options, job, &analysis);
    machine_ci_tell(stderr, &verdict, options->format != NULL && strcmp(options->format->name, "github") == 0);
    analysis_clear(&analysis);
    return status;
}

enum exit_status verb_why(int argument_count, char **arguments)
{
    static const struct job_verb verb = {
        .description = description,
        .more = more,
        .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_SAMPLES | OPTIONS_STACKS | OPTIONS_VERDICT |
                   OPTIONS_FORMAT | OPTIONS_FORMS | OPTIONS_SOURCE,
        .stacks_suffice = true,
        .is_settled = is_settled,
        .on_job = judge,
    };
    return job_verb_run(&verb, argument_count, arguments);
}
