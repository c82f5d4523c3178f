/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the callers of the MPI calls of a finding.
 */
#include "analysis/analysis.h"

#include "base/base.h"
#include "stack/stack.h"
#include "words/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Different ones of a finding; functions at each end of one, where MPI or a library is called. */
enum { MOST_PATHS = 10, MOST_INNER = 3, MOST_OUTER = 3 };

static const char *describe_lines(const struct stack_line *lines, size_t count, bool is_cut)
{
    FILE *stream = arena_open();
    for (size_t i = 0; i < count; i++) {
        if (i == MOST_INNER && count > MOST_INNER + MOST_OUTER) {
            fputs(" < ...", stream);
            i = count - MOST_OUTER;
        }
        fprintf(stream, "%s%s", i > 0 ? " < " : "", arena_take(describe_stack_line(&lines[i])));
    }
    if (is_cut)
        fputs(" < ...", stream);
    return arena_close(stream);
}

static bool has_name(const struct stack_line *line)
{
    return line->kind != STACK_LINE_PROGRAM || (line->site != NULL && line->site->function != NULL);
}

/* Where the lines begin of who has called MPI, if that is a function whose caller has a name; else line_count. */
static size_t find_callers(const struct call_stack *stack)
{
    size_t first = stack->line_count;
    while (first > 0 && stack->lines[first - 1].kind != STACK_LINE_MPI)
        first--;
    for (size_t i = first + 1; first > 0 && i < stack->line_count; i++)
        if (has_name(&stack->lines[i]))
            return first;
    return stack->line_count;
}

/* Takes the text. */
static void add_path(struct call_paths *paths, const char *text, int rank)
{
    struct call_path *path = NULL;
    for (size_t i = 0; i < paths->count && path == NULL; i++)
        if (strcmp(paths->items[i].text, text) == 0)
            path = &paths->items[i];
    if (path != NULL || paths->count == MOST_PATHS) {
        paths->left_out += path == NULL;
    } else {
        paths->items = arena_append(paths->items, &paths->count, sizeof *paths->items);
        path = &paths->items[paths->count - 1];
        path->text = text;
    }
    if (path != NULL)
        ranks_add(&path->ranks, rank);
}

/* Adds the threads of a process that are, and were when their stacks were read, in a call at the place of the
 * evidence. */
static void add_process(struct call_paths *paths, const struct process *process, const char *site)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        const struct call_stack *stack =
            thread->ended || thread->function[0] == '\0' ? NULL : find_call_stack(process, thread->tid);
        const size_t first = stack != NULL ? find_callers(stack) : 0;
        if (stack == NULL || first == stack->line_count || stack->lines[first].address != thread->site_address)
            continue;
        const char *called_at = describe_site(thread->site);
        const char *text = strcmp(called_at, site) == 0
                               ? describe_lines(&stack->lines[first], stack->line_count - first, stack->is_cut)
                               : NULL;
        if (text != NULL)
            add_path(paths, text, process->rank);
    }
}

struct call_paths call_paths_of(const struct job *job, const struct finding *finding)
{
    struct call_paths paths = {.count = 0};
    for (size_t i = 0; i < finding->evidence.count; i++) {
        const struct evidence *evidence = &finding->evidence.items[i];
        for (size_t j = 0; j < evidence->ranks.count; j++) {
            const struct process *process = find_process(job, evidence->ranks.items[j]);
            if (process != NULL && process->call_stack_count > 0)
                add_process(&paths, process, evidence->site);
        }
    }
    for (size_t i = 0; i < paths.count; i++)
        ranks_finish(&paths.items[i].ranks);
    return paths;
}

const char *describe_main_stack(const struct process *process)
{
    const struct call_stack *stack = process->call_stack_count > 0 ? &process->call_stacks[0] : NULL;
    return stack != NULL && stack->tid == (uint32_t)process->pid
               ? describe_lines(stack->lines, stack->line_count, stack->is_cut)
               : NULL;
}
