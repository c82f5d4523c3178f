/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes verdicts in all forms that the user has asked for.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <string.h>
#include <sys/mman.h>

/* Shared with the processes that tell. */
static bool *has_reported;

static struct finding_log *found;
static double began_s;

void guard_output_begin(const struct guard_output *output)
{
    void *memory = mmap(NULL, sizeof *has_reported, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    has_reported = memory != MAP_FAILED ? memory : NULL;
    found = output->on_finding != NULL ? finding_log_begin() : NULL;
    began_s = monotonic_s();
}

struct render_options guard_render_options(const struct guard_output *output)
{
    return (struct render_options){.is_ending = true, .color = is_colored(stderr), .source = output->source};
}

static bool is_called(const struct machine_format *format, const char *name)
{
    return format != NULL && strcmp(format->name, name) == 0;
}

/* "report.xml", "report-2.xml". */
static const char *path_of(const struct machine_file *report, int number)
{
    const char *name = file_name(report->path), *dot = strrchr(name, '.');
    const int length = (int)((dot != NULL && dot > name ? dot : name + strlen(name)) - report->path);
    return number == 1 ? report->path : arena_text("%.*s-%d%s", length, report->path, number, report->path + length);
}

static void write_reports(FILE *stream, const struct guard_output *output, const struct machine_verdict *verdict,
                          int number)
{
    struct reason reason;
    for (size_t i = 0; i < output->report_count; i++)
        if (machine_file_write(&output->reports[i], path_of(&output->reports[i], number), verdict, &reason) != 0)
            print_line(stream, "mpilens guard: no report: %s", reason.text);
}

void guard_output_tell(FILE *stream, const struct guard_output *output, const struct job *job,
                       const struct analysis *analysis, int number)
{
    const struct render_options options = guard_render_options(output);
    const bool is_text = output->format == NULL || is_called(output->format, "text");
    const char *remark = analysis->remark;
    struct machine_verdict verdict = {.verb = "guard",
                                      .job = job,
                                      .findings = &analysis->findings,
                                      .analysis = analysis,
                                      .options = &options,
                                      .name = output->name,
                                      .elapsed_s = monotonic_s() - began_s};
    if (analysis->findings.count == 0)
        verdict.failure =
            arena_text("no rank is known to be at fault%s%s", remark != NULL ? ": " : "", remark != NULL ? remark : "");
    if (!is_text)
        machine_write(stream, output->format, &verdict);
    else if (analysis->findings.count > 0)
        render_why_text(stream, job, analysis, &options);
    write_reports(stream, output, &verdict, number);
    machine_ci_tell(stream, &verdict, is_called(output->format, "github"));
    finding_log_add(found, &verdict);
    if (has_reported != NULL)
        *has_reported = true;
}

bool guard_output_has_commands(const struct guard_output *output)
{
    return output->on_finding != NULL && finding_log_count(found) > 0;
}

void guard_output_run(FILE *stream, const struct guard_output *output)
{
    finding_log_run(stream, found, output->on_finding, guard_headline_file());
}

bool guard_output_lacks_reports(const struct guard_output *output, int status)
{
    return output->report_count > 0 && (status == 0 || has_reported == NULL || !*has_reported);
}

void guard_output_finish(FILE *stream, const struct guard_output *output, int status)
{
    static const struct job ended = {.samples = 1, .interval_s = -1};
    const char *failure =
        status != 0 ? arena_text("the command ended with status %d, and mpilens has found no reason", status) : NULL;
    const struct analysis nothing = {.remark = failure};
    const struct render_options options = guard_render_options(output);
    const struct machine_verdict verdict = {.verb = "guard",
                                            .job = &ended,
                                            .findings = &nothing.findings,
                                            .analysis = &nothing,
                                            .options = &options,
                                            .name = output->name,
                                            .failure = failure,
                                            .elapsed_s = monotonic_s() - began_s};
    write_reports(stream, output, &verdict, 1);
}
