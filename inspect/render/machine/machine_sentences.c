/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sentences that several formats have.
 */
#include "render/machine/machine_internal.h"

#include "render/text/render_text.h"
#include "text/text.h"

const char *machine_clean(const char *text)
{
    return arena_take(valid_text(text));
}

const char *machine_headline(const struct finding *finding)
{
    return arena_text("%s: %s", finding_kind_name(finding->kind), finding->message);
}

const char *machine_evidence(const struct evidence *evidence, bool has_site)
{
    const char *age = describe_age(evidence->age_s);
    const char *site = has_site ? evidence->site : "";
    const char *behind = age[0] != '\0' && site[0] != '\0'   ? arena_text(" (%s, %s)", age, site)
                         : age[0] != '\0' || site[0] != '\0' ? arena_text(" (%s%s)", age, site)
                                                             : "";
    if (evidence->ranks.count == 0)
        return arena_text("%s%s", evidence->text, behind);
    return arena_text("%s: %s%s", ranks_name(&evidence->ranks), evidence->text, behind);
}

const char *machine_more_evidence(const struct finding *finding)
{
    return finding->evidence.left_out > 0 ? arena_text("and %zu more such lines", finding->evidence.left_out) : NULL;
}

const char *machine_outcome(const struct machine_verdict *verdict)
{
    const char *remark = verdict->analysis != NULL ? verdict->analysis->remark : NULL;
    if (verdict->failure != NULL)
        return verdict->failure;
    if (verdict->analysis == NULL)
        return "no leak was found";
    return arena_text("%s%s%s",
                      has_seen_ranks(verdict->job) ? "nothing can be said for certain" : "nothing wrong found",
                      remark != NULL ? ": " : "", remark != NULL ? remark : "");
}

static bool is_unread(const struct process *process)
{
    return process->state == PROCESS_UNREADABLE && !process_was_seen(process);
}

const char *machine_unread(const struct machine_verdict *verdict)
{
    const struct job *job = verdict->job;
    const struct process *first = NULL;
    struct ranks ranks = {.count = 0};
    for (size_t i = 0; i < job->process_count; i++)
        if (is_unread(&job->processes[i])) {
            first = first != NULL ? first : &job->processes[i];
            ranks_add(&ranks, job->processes[i].rank);
        }
    const char *text = NULL;
    if (first != NULL)
        text = arena_text("%s could not be read: %s", ranks_name(&ranks), first->reason);
    else if (job->absent.count > 0)
        text = arena_text("ranks %s could not be read: %s", format_rank_set(&job->absent), job->absent_reason);
    return text;
}

const char *machine_name(const struct machine_verdict *verdict)
{
    const struct job *job = verdict->job;
    if (verdict->name != NULL)
        return verdict->name;
    if (job->command != NULL)
        return job->command;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].executable != NULL)
            return job->processes[i].executable;
    return "an MPI job";
}

const char *machine_plain_text(const struct machine_verdict *verdict)
{
    struct render_options options = *verdict->options;
    FILE *stream = arena_open();
    options.color = false;
    if (verdict->analysis == NULL)
        render_leaks_text(stream, verdict->job, verdict->leaks, verdict->findings, &options);
    else
        render_why_text(stream, verdict->job, verdict->analysis, &options);
    return arena_close(stream);
}
