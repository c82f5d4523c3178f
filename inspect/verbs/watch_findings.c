/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges a job now and then.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "job/job.h"
#include "monitor/monitor.h"
#include "render/machine/machine.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>

/* A verdict reads the job twice, and all of it. */
static const double pause_s = 5, interval_s = 0.5;

struct watch_findings {
    const char *command;
    struct finding_log *log;
    double next_s;
};

struct watch_findings *watch_findings_begin(const char *command)
{
    if (command == NULL)
        return NULL;
    struct watch_findings *findings = allocate(sizeof *findings);
    *findings = (struct watch_findings){.command = command, .log = finding_log_begin()};
    return findings;
}

void watch_findings_end(struct watch_findings *findings)
{
    if (findings != NULL)
        finding_log_end(findings->log);
    free(findings);
}

static void tell(struct watch_findings *findings, const struct options *options, const struct job *job)
{
    const struct analysis_options how = analysis_default_options();
    struct analysis analysis;
    analyze(job, &how, &analysis);
    struct arena *outer = arena_use(&analysis.texts);
    findings_keep_ranks(&analysis.findings, &options->render.ranks);
    const struct machine_verdict verdict = {.verb = "watch",
                                            .job = job,
                                            .findings = &analysis.findings,
                                            .analysis = &analysis,
                                            .options = &options->render,
                                            .elapsed_s = -1};
    finding_log_add(findings->log, &verdict);
    finding_log_say(stderr, findings->log);
    finding_log_run(stderr, findings->log, findings->command, "");
    arena_use(outer);
    analysis_clear(&analysis);
}

void watch_findings_judge(struct watch_findings *findings, const struct dll *dll, const struct options *options,
                          const struct job_request *request)
{
    const struct host_reading reading = {.two_rounds = true};
    const struct sample_plan plan = {.samples = 2, .interval_s = interval_s};
    struct job_request judged = *request;
    struct reason reason;
    struct job job;
    enum exit_status status;
    if (findings == NULL || monotonic_s() < findings->next_s)
        return;
    judged.stacks = true;
    judged.plan.depth = COLLECT_ALL;
    if (!read_hosts(dll, options, &judged, &reading, &job, &status, &reason))
        status = sample_job(dll, &judged, &plan, &job, &reason);
    if (status == EXIT_GOOD) {
        tell(findings, options, &job);
        job_clear(&job);
    }
    findings->next_s = monotonic_s() + pause_s;
}
