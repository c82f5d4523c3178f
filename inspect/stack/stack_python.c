/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interpreter has a loop that runs functions of Python, and enters it again where C calls such a function: each
 * entry of it in the stack stands for the functions up to the next. Where the loop is many functions that call each
 * other in tail position, or part of its callers, no function of its name is in the stack; its variables are.
 */
#include "stack/stack_internal.h"

#include "base/base.h"
#include "debug/debug.h"
#include "python/python.h"

#include <string.h>

/* Beginning of the loop's name. */
static const char loop_beginning[] = "_PyEval_EvalFrame";

static bool is_loop(const struct stack_frame *frame)
{
    return frame->site != NULL && frame->site->function != NULL && is_interpreter_module(frame->site->module) &&
           strncmp(frame->site->function, loop_beginning, strlen(loop_beginning)) == 0;
}

static bool has_named_loops(const struct thread_stack *stack)
{
    for (size_t i = 0; i < stack->frame_count; i++)
        if (is_loop(&stack->frames[i]))
            return true;
    return false;
}

/* Entries whose variables are in the frame with this number. */
static size_t count_held(const struct thread_stack *stack, size_t number, const struct python_thread *python)
{
    const uint64_t begin = stack->frames[number].registers.stack_pointer;
    size_t outer = number + 1, count = 0;
    while (outer < stack->frame_count && stack->frames[outer].registers.stack_pointer <= begin)
        outer++;
    if (begin == 0 || stack->frames[number].is_inlined || outer == stack->frame_count)
        return 0;
    for (size_t i = 0; i < python->frame_count; i++)
        count += python->frames[i].return_frame >= begin &&
                         python->frames[i].return_frame < stack->frames[outer].registers.stack_pointer
                     ? 1
                     : 0;
    return count;
}

static bool is_of_interpreter(const struct stack_frame *frame)
{
    return frame->site != NULL &&
           (is_interpreter_module(frame->site->module) || is_binding_module(frame->site->module));
}

static void add_frame(struct thread_stack *stack, const struct stack_frame *frame)
{
    stack->frames = arena_append(stack->frames, &stack->frame_count, sizeof *stack->frames);
    stack->frames[stack->frame_count - 1] = *frame;
}

/* Adds functions of Python from number `next` on, up to `entries` entries. Returns the number of the next. */
static size_t add_python(struct thread_stack *stack, const struct python_thread *python, size_t next, size_t entries,
                         uint64_t address, struct site_cache *sites)
{
    for (; next < python->frame_count && entries > 0; next++) {
        const struct python_frame *frame = &python->frames[next];
        const struct stack_frame of_python = {.address = address, .site = python_site(frame, sites), .is_python = true};
        add_frame(stack, &of_python);
        entries -= frame->is_entry ? 1 : 0;
    }
    return next;
}

void stack_take_python(struct thread_stack *stack, const struct python_stacks *stacks, struct site_cache *sites)
{
    const struct python_thread *python = python_find_thread(stacks, stack->tid);
    struct thread_stack merged = *stack;
    size_t next = 0;
    if (python == NULL || python->frame_count == 0 || stack->frame_count == 0)
        return;
    merged.frames = NULL;
    merged.frame_count = 0;
    const bool by_name = has_named_loops(stack);
    for (size_t i = 0, end; i < stack->frame_count; i = end) {
        size_t entries = 0;
        for (end = i; end < stack->frame_count && is_of_interpreter(&stack->frames[end]); end++)
            entries += !by_name ? count_held(stack, end, python) : is_loop(&stack->frames[end]) ? 1 : 0;
        if (entries > 0) {
            next = add_python(&merged, python, next, entries, stack->frames[i].address, sites);
            continue;
        }
        end = end > i ? end : i + 1;
        for (size_t j = i; j < end; j++)
            add_frame(&merged, &stack->frames[j]);
    }
    /* the native stack was cut or could not be unwound further, so it lacks entries */
    add_python(&merged, python, next, SIZE_MAX, stack->frames[stack->frame_count - 1].address, sites);
    merged.is_cut = python->is_cut;
    *stack = merged;
}
