/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The queues as a table: equal neighbours of a queue in one line, and equal lines of several ranks in one.
 */
#include "allocation.h"
#include "render.h"
#include "text_table.h"

#include <stdlib.h>
#include <string.h>

/* Lines of one queue of one rank before "+ N more". */
enum { MOST_LINES = 10 };

enum { RANK, QUEUE, PEER, TAG, BYTES, COUNT, DATATYPE, COMMUNICATOR, STATUS, AGE, CALL, SITE, COLUMNS };

static const struct text_column columns[COLUMNS] = {
    [RANK] = {"RANK", true, false},          [QUEUE] = {"QUEUE", false, false},
    [PEER] = {"PEER", true, false},          [TAG] = {"TAG", true, false},
    [BYTES] = {"BYTES", true, false},        [COUNT] = {"COUNT", true, false},
    [DATATYPE] = {"DATATYPE", false, false}, [COMMUNICATOR] = {"COMMUNICATOR", false, false},
    [STATUS] = {"STATUS", false, false},     [AGE] = {"AGE", true, false},
    [CALL] = {"CALL", false, false},         [SITE] = {"SITE", false, true},
};

/* One line of the table; it stands for `repeats` operations of each of the ranks. */
struct row {
    char *cells[COLUMNS]; /* NULL where they are made last: RANK, AGE */
    const char *queue;
    uint64_t repeats;
    double age_s;      /* of the oldest */
    bool is_remainder; /* "+ N more" */
    int *ranks;
    size_t rank_count;
};

struct rows {
    struct row *items;
    size_t count;
};

struct queue {
    const char *name;
    const struct operations *operations;
    const char *label; /* of the communicator */
};

static const char *status_name(const struct operation *operation)
{
    static const char *const names[] = {
        [mqs_st_pending] = "pending", [mqs_st_matched] = "matched", [mqs_st_complete] = "complete"};
    return operation->status >= 0 && operation->status <= mqs_st_complete ? names[operation->status] : "?";
}

static struct row make_row(const struct process *process, const struct queue *queue, const struct operation *operation)
{
    struct row row = {.queue = queue->name, .repeats = 1, .age_s = operation->age_s};
    row.cells[PEER] = describe_rank(operation->peer_local, operation->peer_world);
    row.cells[TAG] = operation->tag_wild ? copy_text("any") : format_text("%d", operation->tag);
    row.cells[BYTES] = operation->bytes >= 0 ? format_text("%lld", (long long)operation->bytes) : copy_text("");
    row.cells[COUNT] = operation->count >= 0 ? format_text("%lld", (long long)operation->count) : copy_text("");
    row.cells[DATATYPE] = copy_text(operation->datatype);
    row.cells[COMMUNICATOR] = copy_text(queue->label);
    row.cells[STATUS] = copy_text(operation->inferred ? "inferred" : status_name(operation));
    row.cells[CALL] = copy_text(operation->function);
    row.cells[SITE] = describe_site(operation->site);
    row.ranks = array_append(NULL, &row.rank_count, sizeof *row.ranks);
    row.ranks[0] = process->rank;
    return row;
}

static bool same_cells(const struct row *left, const struct row *right)
{
    if (strcmp(left->queue, right->queue) != 0 || left->is_remainder || right->is_remainder)
        return false;
    for (size_t i = 0; i < COLUMNS; i++)
        if (left->cells[i] != NULL && strcmp(left->cells[i], right->cells[i]) != 0)
            return false;
    return true;
}

static void row_clear(struct row *row)
{
    for (size_t i = 0; i < COLUMNS; i++)
        free(row->cells[i]);
    free(row->ranks);
}

static void append_row(struct rows *rows, const struct row *row)
{
    rows->items = array_append(rows->items, &rows->count, sizeof *rows->items);
    rows->items[rows->count - 1] = *row;
}

static void append_remainder(struct rows *rows, const struct process *process, const char *queue, size_t more)
{
    struct row row = {.queue = queue, .repeats = 1, .age_s = -1, .is_remainder = true};
    for (size_t i = 0; i < COLUMNS; i++)
        if (i != RANK && i != QUEUE && i != AGE)
            row.cells[i] = copy_text("");
    row.cells[QUEUE] = format_text("+ %zu more", more);
    row.ranks = array_append(NULL, &row.rank_count, sizeof *row.ranks);
    row.ranks[0] = process->rank;
    append_row(rows, &row);
}

static void add_queue(struct rows *rows, const struct process *process, const struct queue *queue,
                      const struct render_options *options)
{
    size_t lines = 0;
    for (size_t i = 0; i < queue->operations->count; i++) {
        const struct operation *operation = &queue->operations->items[i];
        struct row row = make_row(process, queue, operation);
        struct row *previous = lines > 0 ? &rows->items[rows->count - 1] : NULL;
        if (previous != NULL && !options->all && same_cells(previous, &row)) {
            previous->repeats++;
            if (row.age_s > previous->age_s)
                previous->age_s = row.age_s;
            row_clear(&row);
        } else if (lines == MOST_LINES && !options->all) {
            row_clear(&row);
            append_remainder(rows, process, queue->name, queue->operations->count - i);
            return;
        } else {
            append_row(rows, &row);
            lines++;
        }
    }
}

static void add_process(struct rows *rows, const struct process *process, const struct communicator_labels *labels,
                        const struct render_options *options)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        const char *label = find_label(labels, communicator->id);
        const struct queue queues[] = {{"send", &communicator->sends, label},
                                       {"receive", &communicator->receives, label},
                                       {"unexpected", &communicator->unexpected, label}};
        for (size_t j = 0; j < sizeof queues / sizeof *queues; j++)
            add_queue(rows, process, &queues[j], options);
        if (communicator->unexpected_unknown > 0) {
            append_remainder(rows, process, "unexpected", 0);
            struct row *row = &rows->items[rows->count - 1];
            free(row->cells[QUEUE]);
            free(row->cells[COMMUNICATOR]);
            row->cells[QUEUE] = format_text("+ %llu under way to here, too old to be known",
                                            (unsigned long long)communicator->unexpected_unknown);
            row->cells[COMMUNICATOR] = copy_text(label);
        }
    }
}

/* Joins lines of later ranks that say the same as one of an earlier rank. */
static void merge_ranks(struct rows *rows)
{
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++) {
        struct row *row = &rows->items[i];
        struct row *same = NULL;
        for (size_t j = 0; j < kept && same == NULL; j++) {
            struct row *candidate = &rows->items[j];
            if (candidate->repeats == row->repeats && candidate->ranks[candidate->rank_count - 1] < row->ranks[0] &&
                same_cells(candidate, row))
                same = candidate;
        }
        if (same == NULL) {
            rows->items[kept++] = *row;
            continue;
        }
        same->ranks = array_append(same->ranks, &same->rank_count, sizeof *same->ranks);
        same->ranks[same->rank_count - 1] = row->ranks[0];
        if (row->age_s > same->age_s)
            same->age_s = row->age_s;
        row_clear(row);
    }
    rows->count = kept;
}

static void finish_row(struct row *row)
{
    row->cells[RANK] = format_ranks(row->ranks, row->rank_count);
    row->cells[AGE] = describe_age(row->age_s);
    if (row->cells[QUEUE] == NULL)
        row->cells[QUEUE] = row->repeats > 1 ? format_text("%llu x %s", (unsigned long long)row->repeats, row->queue)
                                             : copy_text(row->queue);
}

int render_queues(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                  const struct render_options *options)
{
    struct rows rows = {0};
    for (size_t i = 0; i < job->process_count; i++)
        if (rank_set_contains(&options->ranks, job->processes[i].rank))
            add_process(&rows, &job->processes[i], labels, options);
    if (!options->all)
        merge_ranks(&rows);
    if (rows.count > 0)
        fputc('\n', stream);
    struct text_table *table = text_table_create(columns, COLUMNS, true, options->color);
    for (size_t i = 0; i < rows.count; i++) {
        finish_row(&rows.items[i]);
        text_table_add(table, rows.items[i].cells, strcmp(rows.items[i].queue, "unexpected") == 0 ? "yellow" : NULL);
        row_clear(&rows.items[i]);
    }
    free(rows.items);
    return text_table_finish(table, stream);
}
