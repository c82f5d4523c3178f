/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks as JSON.
 */
#include "render/json/render_json_internal.h"

static void write_line(struct json_stream *stream, const struct stack_line *line)
{
    static const char *const kinds[] = {
        [STACK_LINE_PROGRAM] = "program", [STACK_LINE_LIBRARY] = "library", [STACK_LINE_MPI] = "mpi"};
    const bool has_own_function = line->kind != STACK_LINE_PROGRAM;
    struct site site = {0};
    if (line->site != NULL)
        site = *line->site;
    if (has_own_function)
        site.function = line->function;
    json_stream_open_object(stream, NULL);
    if (line->address != 0)
        json_write_site_members(stream, &site, line->address);
    else if (has_own_function)
        json_stream_text(stream, "function", line->function);
    json_stream_text(stream, "kind", kinds[line->kind]);
    json_write_stack_line_members(stream, line);
    json_stream_close(stream);
}

void json_write_stack(struct json_stream *stream, const struct call_stack *stack)
{
    if (stack == NULL) {
        json_stream_null(stream, "stack");
        json_stream_null(stream, "stack_is_cut");
        return;
    }
    json_stream_open_array(stream, "stack");
    for (size_t i = 0; i < stack->line_count; i++)
        write_line(stream, &stack->lines[i]);
    json_stream_close(stream);
    json_stream_boolean(stream, "stack_is_cut", stack->is_cut);
}

static bool has_called_mpi(const struct process *process, uint32_t tid)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].tid == tid)
            return true;
    return false;
}

void json_write_other_threads(struct json_stream *stream, const struct process *process)
{
    json_stream_open_array(stream, "other_threads");
    for (size_t i = 0; i < process->call_stack_count; i++) {
        const struct call_stack *stack = &process->call_stacks[i];
        if (has_called_mpi(process, stack->tid))
            continue;
        json_stream_open_object(stream, NULL);
        json_stream_integer(stream, "tid", stack->tid);
        json_write_stack(stream, stack);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}
