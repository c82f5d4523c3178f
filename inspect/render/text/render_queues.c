/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The queues as a table: equal neighbours of a queue in one line, and equal lines of several ranks in one.
 */
#include "render/text/render_queues.h"

#include "base/allocation.h"
#include "render/text/merged_rows.h"

#include <string.h>

enum { RANK, QUEUE, PEER, TAG, BYTES, COUNT, DATATYPE, COMMUNICATOR, STATUS, AGE, CALL, SITE, COLUMNS };

static const struct text_column columns[COLUMNS] = {
    [RANK] = {"RANK", true, false},          [QUEUE] = {"QUEUE", false, false},
    [PEER] = {"PEER", true, false},          [TAG] = {"TAG", true, false},
    [BYTES] = {"BYTES", true, false},        [COUNT] = {"COUNT", true, false},
    [DATATYPE] = {"DATATYPE", false, false}, [COMMUNICATOR] = {"COMMUNICATOR", false, false},
    [STATUS] = {"STATUS", false, false},     [AGE] = {"AGE", true, false},
    [CALL] = {"CALL", false, false},         [SITE] = {"SITE", false, true},
};

struct queue {
    const char *name;
    const char *color;
    const struct operations *operations;
    const struct communicator *communicator;
    const char *label; /* of the communicator */
};

static struct merged_row make_row(const struct queue *queue, const struct operation *operation)
{
    struct merged_row row = {.what = queue->name, .color = queue->color, .age_s = operation->age_s};
    if (open_peer_of(operation->peer_local, operation->peer_world, queue->communicator, &row.peer))
        row.open_peer = copy_text(PEER_MARK);
    else
        row.cells[PEER] = describe_rank(operation->peer_local, operation->peer_world);
    row.cells[TAG] = operation->tag_wild ? copy_text("any") : format_text("%d", operation->tag);
    row.cells[BYTES] = operation->bytes >= 0 ? format_text("%lld", (long long)operation->bytes) : copy_text("");
    row.cells[COUNT] = operation->count >= 0 ? format_text("%lld", (long long)operation->count) : copy_text("");
    row.cells[DATATYPE] = copy_text(operation->datatype);
    row.cells[COMMUNICATOR] = copy_text(queue->label);
    row.cells[STATUS] = describe_operation_status(operation);
    row.cells[CALL] = copy_text(operation->function);
    row.cells[SITE] = describe_site(operation->site);
    return row;
}

static void add_queue(struct merged_rows *rows, int rank, const struct queue *queue)
{
    merged_rows_begin(rows, rank);
    for (size_t i = 0; i < queue->operations->count; i++) {
        const struct merged_row row = make_row(queue, &queue->operations->items[i]);
        merged_rows_add(rows, &row);
    }
    merged_rows_end(rows);
}

static void add_process(struct merged_rows *rows, const struct process *process,
                        const struct communicator_labels *labels)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        const char *label = find_label(labels, communicator->id);
        const struct queue queues[] = {{"send", NULL, &communicator->sends, communicator, label},
                                       {"receive", NULL, &communicator->receives, communicator, label},
                                       {"unexpected", "yellow", &communicator->unexpected, communicator, label}};
        for (size_t j = 0; j < sizeof queues / sizeof *queues; j++)
            add_queue(rows, process->rank, &queues[j]);
        if (communicator->unexpected_unknown > 0) {
            struct merged_row row = {.what = "unexpected", .color = "yellow"};
            row.cells[COMMUNICATOR] = copy_text(label);
            merged_rows_add_remark(rows, &row,
                                   format_text("+ %llu under way to here, too old to be known",
                                               (unsigned long long)communicator->unexpected_unknown));
        }
    }
}

int render_queues(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                  const struct render_options *options)
{
    struct merged_rows rows = {.layout = {.columns = columns,
                                          .column_count = COLUMNS,
                                          .rank = RANK,
                                          .peer = PEER,
                                          .what = QUEUE,
                                          .age = AGE,
                                          .single = COLUMNS,
                                          .all = options->all}};
    for (size_t i = 0; i < job->process_count; i++)
        if (rank_set_contains(&options->ranks, job->processes[i].rank))
            add_process(&rows, &job->processes[i], labels);
    return merged_rows_finish(&rows, stream, options->color);
}
