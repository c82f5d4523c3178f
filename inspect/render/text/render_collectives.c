/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators and the numbers of collective calls on them as a table, equal ranks together.
 */
#include "base/allocation.h"
#include "render/text/render.h"
#include "text/text_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct line {
    uint64_t id;
    size_t order; /* of the communicator */
    char *size;
    char *calls;
    int *ranks;
    size_t rank_count;
};

/* The n-th communicator that the job shows, counted from 0, comes n-th. */
static int compare_lines(const void *left_line, const void *right_line)
{
    const struct line *left = left_line;
    const struct line *right = right_line;
    if (left->order != right->order)
        return left->order < right->order ? -1 : 1;
    return left->ranks[0] < right->ranks[0] ? -1 : left->ranks[0] > right->ranks[0];
}

struct lines {
    struct line *items;
    size_t count;
};

/* Of no class are those that make communicators, windows and files; what others are, old runtimes do not say. */
static bool has_class(const struct collective_call *call)
{
    return call->collective_class >= 0 || call->purpose == MPILENS_PURPOSE_UNKNOWN;
}

/* Behind the classes of calls, if there are any. */
static void write_active_constructors(FILE *stream, const struct communicator *communicator)
{
    const char *separator = communicator->class_count > 0 ? ", " : "";
    for (size_t i = 0; i < communicator->collective_call_count; i++) {
        const struct collective_call *call = &communicator->collectives[i];
        if (!call->active || has_class(call))
            continue;
        fprintf(stream, "%s%s (active)", separator, call->function);
        separator = ", ";
    }
    if (separator[0] == '\0')
        fputs("none", stream);
}

static char *describe_calls(const struct communicator *communicator)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return copy_text("");
    for (size_t i = 0; i < communicator->class_count; i++) {
        const struct collective_class *class = &communicator->classes[i];
        fprintf(stream, "%s%s %" PRIu64, i > 0 ? ", " : "", class->name, class->count);
        if (class->active > 0)
            fprintf(stream, " (%" PRIu32 " active)", class->active);
    }
    write_active_constructors(stream, communicator);
    fclose(stream);
    return text;
}

static char *describe_size(const struct communicator *communicator)
{
    const char *freed = communicator->freed ? " freed" : "";
    return communicator->remote_size > 0
               ? format_text("%d + %d%s", communicator->size, communicator->remote_size, freed)
               : format_text("%d%s", communicator->size, freed);
}

static void add_communicator(struct lines *lines, const struct process *process,
                             const struct communicator *communicator, bool merge)
{
    char *size = describe_size(communicator);
    char *calls = describe_calls(communicator);
    struct line *line = NULL;
    for (size_t i = 0; merge && i < lines->count && line == NULL; i++) {
        struct line *candidate = &lines->items[i];
        if (candidate->id == communicator->id && strcmp(candidate->size, size) == 0 &&
            strcmp(candidate->calls, calls) == 0)
            line = candidate;
    }
    if (line == NULL) {
        lines->items = array_append(lines->items, &lines->count, sizeof *lines->items);
        line = &lines->items[lines->count - 1];
        *line = (struct line){.id = communicator->id, .order = lines->count, .size = size, .calls = calls};
        for (size_t i = 0; i + 1 < lines->count; i++)
            if (lines->items[i].id == communicator->id)
                line->order = lines->items[i].order;
    } else {
        free(size);
        free(calls);
    }
    line->ranks = array_append(line->ranks, &line->rank_count, sizeof *line->ranks);
    line->ranks[line->rank_count - 1] = process->rank;
}

/* Predefined communicators of which there is nothing to tell are left out. */
static bool is_worth_a_line(const struct communicator *communicator)
{
    for (size_t i = 0; i < communicator->collective_call_count; i++)
        if (communicator->collectives[i].active)
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
    struct lines lines = {0};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        for (size_t j = 0; rank_set_contains(&options->ranks, process->rank) && j < process->communicator_count; j++)
            if (is_worth_a_line(&process->communicators[j]))
                add_communicator(&lines, process, &process->communicators[j], !options->all);
    }
    if (lines.count > 1)
        qsort(lines.items, lines.count, sizeof *lines.items, compare_lines);
    if (lines.count > 0)
        fputc('\n', stream);
    struct text_table *table = text_table_create(columns, 4, true, options->color);
    for (size_t i = 0; i < lines.count; i++) {
        struct line *line = &lines.items[i];
        char *label = copy_text(find_label(labels, line->id));
        char *ranks = format_ranks(line->ranks, line->rank_count);
        char *const cells[] = {label, line->size, ranks, line->calls};
        text_table_add(table, cells, NULL);
        free(label);
        free(ranks);
        free(line->size);
        free(line->calls);
        free(line->ranks);
    }
    free(lines.items);
    return text_table_finish(table, stream);
}
