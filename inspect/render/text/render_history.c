/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls of communicators, windows and files by number, a column for each group of ranks with the same calls;
 * messages of chosen ranks.
 */
#include "render/text/render_text_internal.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "base/base.h"
#include "text/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MOST_ALIKE = 8, /* tables without a difference */
    MOST_MESSAGES = 20,
};

static void add_row(struct text_table *table, const struct collective_history *history, size_t row, size_t shown)
{
    const uint64_t serial = history->serials[row];
    const char **cells = allocate((shown + 2) * sizeof *cells);
    const bool is_first = history_row_differs(history, row);
    cells[0] = arena_text("%" PRIu64, serial);
    for (size_t i = 0; i < shown; i++)
        cells[i + 1] = history_describe_call(&history->groups[i], serial);
    cells[shown + 1] = is_first ? "<- differs" : "";
    text_table_add(table, cells, is_first ? "red" : NULL);
    free(cells);
}

static int render_calls(FILE *stream, const struct collective_history *history, const struct render_options *options)
{
    const size_t shown =
        options->all || history->group_count <= MOST_HISTORY_GROUPS ? history->group_count : MOST_HISTORY_GROUPS;
    struct text_column *columns = allocate((shown + 2) * sizeof *columns);
    columns[0] = (struct text_column){"CALL", true, false};
    for (size_t i = 0; i < shown; i++)
        columns[i + 1] = (struct text_column){ranks_name(&history->groups[i].ranks), false, true};
    columns[shown + 1] = (struct text_column){"", false, false};
    struct text_table *table =
        text_table_create(columns, shown + (history->first_difference != 0 ? 2 : 1), true, options->color);
    for (size_t i = 0; i < history->count; i++)
        if (options->all || history_row_is_shown(history, i))
            add_row(table, history, i, shown);
    free(columns);
    const int result = text_table_finish(table, stream);
    size_t ranks = 0;
    for (size_t i = shown; i < history->group_count; i++)
        ranks += history->groups[i].ranks.count;
    if (ranks > 0)
        print_line(stream, "+ %zu more groups of %zu ranks, which --all shows", history->group_count - shown, ranks);
    return result;
}

static int render_histories(FILE *stream, const struct collective_histories *histories,
                            const struct communicator_labels *labels, const struct render_options *options)
{
    int result = 0;
    size_t alike = 0;
    for (size_t i = 0; i < histories->count; i++) {
        const struct collective_history *history = &histories->items[i];
        alike += history->first_difference == 0;
        if (alike > MOST_ALIKE && !options->all)
            continue;
        fputc('\n', stream);
        print_line(stream, "%s of %zu ranks: %s, %s",
                   describe_order(&(struct cause_text){.labels = labels}, &history->members.items[0]),
                   history->members.count, history_describe_counts(history), history_describe_difference(history));
        if (render_calls(stream, history, options) != 0)
            result = -1;
    }
    if (alike > MOST_ALIKE && !options->all)
        print_line(stream, "+ %zu more without a difference, which --all shows", alike - MOST_ALIKE);
    return result;
}

static int render_messages(FILE *stream, const struct process *process, const struct message_pairs *pairs,
                           const struct communicator_labels *labels, const struct render_options *options)
{
    static const struct text_column columns[] = {
        {"AGE", true, false}, {"CALL", false, false}, {"SITE", false, true}, {"OTHER END", false, true}};
    const struct arena_mark mark = arena_mark();
    const struct message_history history = message_history_of(process);
    const size_t first = options->all || history.count <= MOST_MESSAGES ? 0 : history.count - MOST_MESSAGES;
    struct text_table *table = text_table_create(columns, 4, true, options->color);
    fputc('\n', stream);
    print_line(stream, "rank %d, messages in the order of their calls:%s", process->rank,
               history.count == 0 ? " none" : "");
    if (first > 0)
        print_line(stream, "+ %zu earlier ones, which --all shows", first);
    for (size_t i = first; i < history.count; i++) {
        const struct message_end *end = &history.items[i];
        const char *const cells[] = {
            describe_age(end->operation->age_s), describe_operation(end->operation, end->communicator, labels),
            describe_site(end->operation->details->site), history_describe_other_end(pairs, end)};
        text_table_add(table, cells, NULL);
    }
    const int result = text_table_finish(table, stream);
    arena_release(mark);
    return result;
}

static int render_chosen(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                         const struct render_options *options)
{
    int result = 0;
    struct message_pairs pairs = message_history_pair(job);
    for (size_t i = 0; i < job->process_count; i++)
        if (rank_is_chosen(&options->ranks, job->processes[i].rank) && job->processes[i].reason == NULL &&
            render_messages(stream, &job->processes[i], &pairs, labels, options) != 0)
            result = -1;
    return result;
}

int render_history_text(FILE *stream, const struct job *job, const struct render_options *options)
{
    struct job_index index = job_index_create(job);
    struct communicator_labels labels = label_communicators(job);
    struct collective_histories histories = collective_histories_make(&index, &options->ranks);
    render_header(stream, job, options);
    if (histories.count == 0)
        print_line(stream, "no rank has made a collective call together with another one that was read");
    int result = render_histories(stream, &histories, &labels, options);
    if (options->ranks.count > 0 && render_chosen(stream, job, &labels, options) != 0)
        result = -1;
    render_hints(stream, job);
    return result == 0 ? finish_output(stream) : -1;
}
