/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The verdict as text: each finding in a sentence, its evidence in a table below.
 */

#include "analysis/analysis.h"
#include "base/base.h"
#include "model/model.h"
#include "render/text/render_text_internal.h"
#include "source/source.h"
#include "text/text.h"
#include "words/words.h"

/* Before the line of a call: the condition of the call is mostly there. */
enum { CONTEXT_LINES = 2 };

static int render_evidence(FILE *stream, const struct finding *finding, const struct render_options *options)
{
    static const struct text_column columns[] = {
        {"RANK", false, false}, {"EVIDENCE", false, false}, {"AGE", true, false}, {"SITE", false, true}};
    struct text_table *table = text_table_create(columns, 4, false, options->color);
    for (size_t i = 0; i < finding->evidence.count; i++) {
        const struct evidence *evidence = &finding->evidence.items[i];
        const char *ranks =
            arena_text("  %s %s", evidence->ranks.count > 1 ? "ranks" : "rank", ranks_text(&evidence->ranks));
        const char *age = describe_age(evidence->age_s);
        const char *const cells[] = {ranks, evidence->text, age, evidence->site};
        text_table_add(table, cells, NULL);
    }
    return text_table_finish(table, stream);
}

static void render_paths(FILE *stream, const struct job *job, const struct finding *finding)
{
    struct call_paths paths = call_paths_of(job, finding);
    for (size_t i = 0; i < paths.count; i++) {
        const struct call_path *path = &paths.items[i];
        const char *ranks = ranks_text(&path->ranks);
        print_line(stream, "  stack of %s %s: %s", path->ranks.count > 1 ? "ranks" : "rank", ranks, path->text);
    }
    if (paths.left_out > 0)
        print_line(stream, "  and %zu more stacks: 'mpilens show --stack' has them all", paths.left_out);
}

static bool is_unreadable(const struct process *process)
{
    return process->state == PROCESS_UNREADABLE && !process_was_seen(process);
}

static void render_main_stack(FILE *stream, const struct process *process)
{
    const char *stack = describe_main_stack(process);
    if (stack != NULL)
        print_line(stream, "  its stack: %s", stack);
}

static void render_unread(FILE *stream, const struct job *job)
{
    static const struct rank_set all = {.count = 0};
    struct unread_list list = unread_list_make(job, &all, is_unreadable);
    for (size_t i = 0; i < list.count; i++) {
        const struct unread_ranks *unread = &list.items[i];
        const char *reason = unread->first != NULL ? unread->first->reason : job->absent_reason;
        const bool several = unread->count > 1;
        if (unread->first != NULL && unread->first->is_before_mpi)
            print_line(stream, "%s %s: %s", several ? "ranks" : "rank", unread->ranks, reason);
        else
            print_line(stream, "%s %s %s not read, so nothing is known about %s: %s", several ? "ranks" : "rank",
                       unread->ranks, several ? "were" : "was", several ? "them" : "it", reason);
        if (unread->first != NULL && !several)
            render_main_stack(stream, unread->first);
    }
}

static void render_notes(FILE *stream, const struct job *job)
{
    for (size_t i = 0; i < job->note_count; i++)
        print_line(stream, "%s", job->notes[i]);
}

static void render_left_out(FILE *stream, const struct analysis *analysis)
{
    if (analysis->left_out > 0)
        print_line(stream, "+ %zu finding%s of other ranks: shown without --rank", analysis->left_out,
                   analysis->left_out > 1 ? "s" : "");
}

static void render_lost_records(FILE *stream, const struct job *job)
{
    const char *text = describe_lost_records(job);
    if (text != NULL)
        print_line(stream, "%s", text);
}

static void render_finding_source(FILE *stream, struct source_view *view, const struct finding *finding,
                                  const struct render_options *options)
{
    struct source_excerpts excerpts = source_view_take(view, finding, CONTEXT_LINES, 0);
    for (size_t i = 0; i < excerpts.count; i++)
        render_excerpt(stream, &excerpts.items[i], options->color);
}

int render_why_text(FILE *stream, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options)
{
    if (analysis->findings.count == 0) {
        if (analysis->left_out > 0)
            print_line(stream, "nothing wrong found with these ranks");
        else
            print_line(stream, "%s%s%s",
                       has_seen_ranks(job) ? "nothing can be said for certain" : "nothing wrong found",
                       analysis->remark != NULL ? ": " : "", analysis->remark != NULL ? analysis->remark : "");
        render_left_out(stream, analysis);
        const int said = has_seen_ranks(job) ? 0 : render_calls_in_short(stream, job, options);
        render_seen(stream, job, options);
        render_unread(stream, job);
        render_notes(stream, job);
        render_lost_records(stream, job);
        return said == 0 ? finish_output(stream) : -1;
    }
    render_header(stream, job, options);
    struct source_view *view = source_view_begin(job, &options->source);
    int result = 0;
    for (size_t i = 0; i < analysis->findings.count && result == 0; i++) {
        const struct finding *finding = &analysis->findings.items[i];
        fputc('\n', stream);
        print_colored_line(stream, options->color ? "\033[1;31m" : NULL, "%s: %s", finding_kind_name(finding->kind),
                           finding->message);
        if (finding->remedy != NULL)
            print_line(stream, "  remedy: %s", finding->remedy);
        render_culprits(stream, job, finding, options);
        result = render_evidence(stream, finding, options);
        if (finding->evidence.left_out > 0)
            print_line(stream, "  and %zu more such lines", finding->evidence.left_out);
        render_paths(stream, job, finding);
        render_finding_source(stream, view, finding, options);
    }
    render_left_out(stream, analysis);
    render_seen(stream, job, options);
    render_unread(stream, job);
    render_notes(stream, job);
    render_lost_records(stream, job);
    render_hints(stream, job);
    return result == 0 ? finish_output(stream) : -1;
}
