/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators and the numbers of collective calls on them as a table, equal ranks together.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <inttypes.h>
#include <stdlib.h>

struct line {
    uint64_t id;
    size_t order; /* of the communicator: how many others the job shows before it */
    const char *size;
    const char *calls;
    const struct rank_text *ranks;
};

struct lines {
    struct line *items;
    size_t count;
    struct rank_texts texts; /* of the lines, by number */
    struct rank_texts ids;   /* of their communicators */
};

static int compare_lines(const void *left_line, const void *right_line)
{
    const struct line *left = left_line;
    const struct line *right = right_line;
    if (left->order != right->order)
        return left->order < right->order ? -1 : 1;
    const int first = ranks_first(&left->ranks->ranks), other = ranks_first(&right->ranks->ranks);
    return first < other ? -1 : first > other;
}

/* Those of no class, which make communicators, windows and files. Behind the classes of calls, if there are any. */
static void write_active_constructors(FILE *stream, const struct communicator *communicator)
{
    const char *separator = communicator->class_count > 0 ? ", " : "";
    for (size_t i = 0; i < communicator->collective_call_count; i++) {
        const struct collective_call *call = &communicator->recent_collectives[i];
        if (!call->active || call->collective_class >= 0)
            continue;
        fprintf(stream, "%s%s (active)", separator, call->function);
        separator = ", ";
    }
    if (separator[0] == '\0')
        fputs("none", stream);
}

static const char *describe_calls(const struct communicator *communicator)
{
    FILE *stream = arena_open();
    for (size_t i = 0; i < communicator->class_count; i++) {
        const struct collective_class *class = &communicator->collectives[i];
        fprintf(stream, "%s%s %" PRIu64, i > 0 ? ", " : "", class->class, class->count);
        if (class->active > 0)
            fprintf(stream, " (%" PRIu32 " active)", class->active);
    }
    write_active_constructors(stream, communicator);
    return arena_close(stream);
}

static const char *describe_size(const struct communicator *communicator)
{
    const char *freed = communicator->freed ? " freed" : "";
    return communicator->remote_size > 0 ? arena_text("%d + %d%s", communicator->size, communicator->remote_size, freed)
                                         : arena_text("%d%s", communicator->size, freed);
}

static void add_communicator(struct lines *lines, const struct process *process,
                             const struct communicator *communicator)
{
    const char *id = arena_text("%" PRIx64, communicator->id);
    const char *size = describe_size(communicator);
    const char *calls = describe_calls(communicator);
    const size_t number = rank_texts_add_parts(&lines->texts, (const char *const[]){id, size, calls}, 3);
    ranks_add(&lines->texts.items[number]->ranks, process->rank);
    if (number == lines->count) {
        lines->items = array_append(lines->items, &lines->count, sizeof *lines->items);
        lines->items[number] = (struct line){.id = communicator->id,
                                             .order = rank_texts_add(&lines->ids, id),
                                             .size = size,
                                             .calls = calls,
                                             .ranks = lines->texts.items[number]};
    }
}

/* Predefined communicators of which there is nothing to tell are left out. */
static bool is_worth_a_line(const struct communicator *communicator)
{
    for (size_t i = 0; i < communicator->collective_call_count; i++)
        if (communicator->recent_collectives[i].active)
            return true;
    return !communicator->predefined || communicator->class_count > 0;
}

int render_collectives(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                       const struct render_options *options)
{
    static const struct text_column columns[] = {{"COMMUNICATOR", false, false},
                                                 {"SIZE", true, false},
                                                 {"RANKS", false, false},
                                                 {"COLLECTIVE CALLS", false, true}};
    struct lines lines = {.texts = {.apart = options->all}};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        for (size_t j = 0; rank_is_chosen(&options->ranks, process->rank) && j < process->communicator_count; j++)
            if (is_worth_a_line(&process->communicators[j]))
                add_communicator(&lines, process, &process->communicators[j]);
    }
    if (lines.count > 1)
        qsort(lines.items, lines.count, sizeof *lines.items, compare_lines);
    if (lines.count > 0)
        fputc('\n', stream);
    struct text_table *table = text_table_create(columns, 4, true, options->color);
    for (size_t i = 0; i < lines.count; i++) {
        struct line *line = &lines.items[i];
        const char *label = arena_copy(find_label(labels, line->id));
        const char *ranks = ranks_text(&line->ranks->ranks);
        const char *const cells[] = {label, line->size, ranks, line->calls};
        text_table_add(table, cells, NULL);
    }
    free(lines.items);
    return text_table_finish(table, stream);
}
