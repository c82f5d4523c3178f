/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks as JSON.
 */
#include "render/json/render_json_internal.h"

#include "render/json/json_values.h"

static json_t *json_line(const struct stack_line *line)
{
    static const char *const kinds[] = {
        [STACK_LINE_PROGRAM] = "program", [STACK_LINE_LIBRARY] = "library", [STACK_LINE_MPI] = "mpi"};
    json_t *object = json_site(line->site, line->address);
    if (!json_is_object(object)) {
        json_decref(object);
        object = json_object();
    }
    if (line->kind != STACK_LINE_PROGRAM)
        json_object_set_new(object, "function", json_text(line->function));
    json_object_set_new(object, "kind", json_string(kinds[line->kind]));
    json_object_set_new(object, "frames", json_integer(line->frames));
    json_object_set_new(object, "inlined", json_boolean(line->is_inlined));
    return object;
}

json_t *json_stack(const struct call_stack *stack)
{
    if (stack == NULL)
        return json_null();
    json_t *lines = json_array();
    for (size_t i = 0; i < stack->line_count; i++)
        json_array_append_new(lines, json_line(&stack->lines[i]));
    return lines;
}

json_t *json_stack_is_cut(const struct call_stack *stack)
{
    return stack != NULL ? json_boolean(stack->is_cut) : json_null();
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
        if (!has_called_mpi(process, stack->tid))
            json_stream_add(stream, NULL,
                            json_pack("{s:I, s:o, s:o}", "tid", (json_int_t)stack->tid, "stack", json_stack(stack),
                                      "stack_is_cut", json_stack_is_cut(stack)));
    }
    json_stream_close(stream);
}
