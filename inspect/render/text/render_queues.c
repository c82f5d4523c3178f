/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The queues as a table: equal neighbours of a queue in one line, and equal lines of several ranks in one.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "words/words.h"

enum { RANK, QUEUE, PEER, TAG, BYTES, COUNT, DATATYPE, COMMUNICATOR, STATUS, AGE, CALL, SITE, COLUMNS };

static const struct text_column columns[COLUMNS] = {
    [RANK] = {"RANK", true, false},          [QUEUE] = {"QUEUE", false, false},
    [PEER] = {"PEER", true, false},          [TAG] = {"TAG", true, false},
    [BYTES] = {"BYTES", true, false},        [COUNT] = {"COUNT", true, false},
    [DATATYPE] = {"DATATYPE", false, false}, [COMMUNICATOR] = {"COMMUNICATOR", false, false},
    [STATUS] = {"STATUS", false, false},     [AGE] = {"AGE", true, false},
    [CALL] = {"CALL", false, false},         [SITE] = {"SITE", false, true},
};

static struct merged_row make_row(const struct queue_row *queued)
{
    const struct operation *operation = queued->operation;
    struct merged_row row = {
        .what = queued->name, .color = queued->queue == QUEUE_UNEXPECTED ? "yellow" : NULL, .age_s = operation->age_s};
    if (open_peer_of(operation->peer_local, operation->peer_world, queued->communicator, &row.peer))
        row.open_peer = arena_copy(PEER_MARK);
    else
        row.cells[PEER] = describe_rank(operation->peer_local, operation->peer_world);
    row.cells[TAG] = queued->tag;
    row.cells[BYTES] = operation->details->bytes >= 0 ? arena_text("%lld", (long long)operation->details->bytes) : "";
    row.cells[COUNT] = operation->details->count >= 0 ? arena_text("%lld", (long long)operation->details->count) : "";
    row.cells[DATATYPE] = arena_copy(operation->details->datatype);
    row.cells[COMMUNICATOR] = arena_copy(queued->label);
    row.cells[STATUS] = queued->status;
    row.cells[CALL] = arena_copy(operation->details->function);
    row.cells[SITE] = queued->site;
    return row;
}

struct rows_of_rank {
    struct merged_rows *rows;
    int rank;
};

static void add_row(void *context, const struct queue_row *queued)
{
    const struct rows_of_rank *of = context;
    if (queued->is_first) {
        merged_rows_end(of->rows);
        merged_rows_begin(of->rows, of->rank);
    }
    if (queued->operation != NULL) {
        const struct merged_row row = make_row(queued);
        merged_rows_add(of->rows, &row);
        return;
    }
    struct merged_row row = {.what = queued->name, .color = "yellow"};
    row.cells[COMMUNICATOR] = arena_copy(queued->label);
    merged_rows_add_remark(
        of->rows, &row,
        arena_text("+ %llu under way to here, too old to be known", (unsigned long long)queued->unknown));
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
        if (rank_is_chosen(&options->ranks, job->processes[i].rank)) {
            struct rows_of_rank of = {.rows = &rows, .rank = job->processes[i].rank};
            visit_queue_rows(&job->processes[i], labels, add_row, &of);
            merged_rows_end(&rows);
        }
    return merged_rows_finish(&rows, stream, options->color);
}
