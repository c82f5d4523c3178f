/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the last calls into the page: collective ones of each communicator, window or file by number, and the last
 * messages of the ranks that findings name, side by side.
 */
#include "render/html/render_html_internal.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "base/base.h"
#include "render/text/render_text.h"

#include <inttypes.h>

enum { MOST_HISTORIES = 12, MOST_RANKS_SIDE_BY_SIDE = 8, LEAST_RANKS = 4, MOST_CALLS = 8 };

static void write_cell(FILE *stream, const char *label, const char *text)
{
    fputs("<td role=\"cell\" data-label=\"", stream);
    html_write_text(stream, label);
    fputs("\">", stream);
    html_write_text(stream, text);
    fputs("</td>", stream);
}

static void write_calls(FILE *stream, const struct collective_history *history, size_t shown)
{
    for (size_t row = 0; row < history->count; row++) {
        if (!history_row_is_shown(history, row))
            continue;
        const bool differs = history_row_differs(history, row);
        fputs(differs ? "<tr role=\"row\" class=\"differs\">" : "<tr role=\"row\">", stream);
        write_cell(stream, "Call", arena_text("%" PRIu64 "%s", history->serials[row], differs ? ", differs" : ""));
        for (size_t i = 0; i < shown; i++)
            write_cell(stream, ranks_name(&history->groups[i].ranks),
                       history_describe_call(&history->groups[i], history->serials[row]));
        fputs("</tr>\n", stream);
    }
}

static void write_history(FILE *stream, const struct collective_history *history,
                          const struct communicator_labels *labels)
{
    const size_t shown = history->group_count < MOST_HISTORY_GROUPS ? history->group_count : MOST_HISTORY_GROUPS;
    const char *label = describe_order(&(struct cause_text){.labels = labels}, &history->members.items[0]);
    fputs("<h3>", stream);
    html_write_text(stream, label);
    fprintf(stream, " <small>of %zu ranks: %s, %s</small></h3>\n", history->members.count,
            history_describe_counts(history), history_describe_difference(history));
    fputs("<div class=\"scroll\" role=\"group\" aria-label=\"Collective calls\" tabindex=\"0\"><table class=\"calls\" "
          "role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\"><th scope=\"col\" role=\"columnheader\">Call</th>",
          stream);
    for (size_t i = 0; i < shown; i++) {
        fputs("<th scope=\"col\" role=\"columnheader\">", stream);
        html_write_ranks(stream, &history->groups[i].ranks);
        fputs("</th>", stream);
    }
    fputs("</tr></thead><tbody role=\"rowgroup\">\n", stream);
    write_calls(stream, history, shown);
    fputs("</tbody></table></div>\n", stream);
    if (shown < history->group_count)
        fprintf(stream, "<p class=\"faint\">and %zu more groups of ranks</p>\n", history->group_count - shown);
}

static void write_message(FILE *stream, const struct message_end *end, const struct message_pairs *pairs,
                          const struct communicator_labels *labels)
{
    const char *parts[] = {describe_site(end->operation->details->site), describe_age(end->operation->age_s),
                           history_describe_other_end(pairs, end)};
    fputs("<li><span class=\"frames\">", stream);
    html_write_text(stream, describe_operation(end->operation, end->communicator, labels));
    fputs("</span>", stream);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i][0] != '\0') {
            fputs(i == 0 ? "<br><small>" : " <small>", stream);
            html_write_text(stream, parts[i]);
            fputs("</small>", stream);
        }
    fputs("</li>\n", stream);
}

static void write_messages(FILE *stream, const struct process *process, const struct message_pairs *pairs,
                           const struct communicator_labels *labels)
{
    struct ranks rank = {.count = 0};
    struct message_history history = message_history_of(process);
    const size_t first = history.count > MOST_CALLS ? history.count - MOST_CALLS : 0;
    ranks_add(&rank, process->rank);
    fputs("<div", stream);
    html_write_ranks_attribute(stream, &rank);
    fputs("><h3>", stream);
    html_write_ranks(stream, &rank);
    fprintf(stream, "</h3>\n<ol start=\"%zu\">\n", first + 1);
    for (size_t i = first; i < history.count; i++)
        write_message(stream, &history.items[i], pairs, labels);
    fputs(history.count > 0 ? "</ol></div>\n" : "</ol><p>no messages</p></div>\n", stream);
}

/* The ranks that findings name, culprits first; where there are none, the first ones. */
static struct ranks choose_ranks(const struct job *job, const struct analysis *analysis,
                                 const struct render_options *options)
{
    struct ranks chosen = {.count = 0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < analysis->findings.count; i++) {
            const struct finding *finding = &analysis->findings.items[i];
            const struct ranks *ranks = pass == 0 ? &finding->culprits : &finding->ranks;
            for (size_t j = 0; j < ranks->count && chosen.count < MOST_RANKS_SIDE_BY_SIDE; j++) {
                ranks_add(&chosen, ranks->items[j]);
                ranks_finish(&chosen);
            }
        }
    for (size_t i = 0; i < job->process_count && chosen.count < LEAST_RANKS; i++)
        if (analysis->findings.count == 0 && rank_is_chosen(&options->ranks, job->processes[i].rank))
            ranks_add(&chosen, job->processes[i].rank);
    return chosen;
}

static void write_side_by_side(FILE *stream, const struct job *job, const struct analysis *analysis,
                               const struct communicator_labels *labels, const struct render_options *options)
{
    struct ranks chosen = choose_ranks(job, analysis, options);
    struct message_pairs pairs = message_history_pair(job);
    fputs("<div class=\"sides\">\n", stream);
    for (size_t i = 0; i < chosen.count; i++) {
        const struct process *process = find_process(job, chosen.items[i]);
        if (process != NULL && process->reason == NULL)
            write_messages(stream, process, &pairs, labels);
    }
    fputs("</div>\n<p class=\"faint\">Of each rank the last messages in the order of their calls; the others: "
          "<code>mpilens history --rank RANKS</code></p>\n",
          stream);
}

void html_write_history(FILE *stream, const struct job *job, const struct analysis *analysis,
                        const struct communicator_labels *labels, const struct render_options *options)
{
    struct job_index index = job_index_create(job);
    struct collective_histories histories = collective_histories_make(&index, &options->ranks);
    fputs("<section aria-labelledby=\"history-title\">\n<h2 id=\"history-title\">Last calls</h2>\n", stream);
    for (size_t i = 0; i < histories.count && i < MOST_HISTORIES; i++)
        write_history(stream, &histories.items[i], labels);
    if (histories.count > MOST_HISTORIES)
        fprintf(stream, "<p class=\"faint\">and %zu more</p>\n", histories.count - MOST_HISTORIES);
    write_side_by_side(stream, job, analysis, labels, options);
    fputs("</section>\n", stream);
}
