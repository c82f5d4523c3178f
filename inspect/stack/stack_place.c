/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes a thread's place for the user, and its stack in one line.
 */
#include "stack/stack.h"

#include "base/base.h"
#include "debug/debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames in one line: the inner ones up to this number, and the outermost. */
enum { MOST_SHOWN = 8 };

static bool is_of_application(const struct stack_frame *frame)
{
    return frame->site != NULL && !is_system_module(frame->site->module) &&
           !is_system_function(frame->site->function) &&
           (frame->site->function == NULL || strcmp(frame->site->function, "_start") != 0);
}

static size_t find_first(const struct thread_stack *stack)
{
    size_t first = 0;
    while (first < stack->frame_count && !is_of_application(&stack->frames[first]))
        first++;
    return first;
}

const struct stack_frame *stack_find_innermost(const struct thread_stack *stack)
{
    const size_t first = find_first(stack);
    return first < stack->frame_count ? &stack->frames[first] : NULL;
}

char *stack_find_called(const struct thread_stack *stack)
{
    const size_t first = find_first(stack);
    if (first == 0 || first == stack->frame_count)
        return NULL;
    const struct site *called = stack->frames[first - 1].site;
    return called != NULL && called->function != NULL ? system_function_name(called->function) : NULL;
}

const struct stack_frame *stack_find_place(const struct thread_stack *stack)
{
    const struct stack_frame *other = NULL;
    for (size_t i = 0; i < stack->frame_count; i++) {
        const struct stack_frame *frame = &stack->frames[i];
        if (!is_of_application(frame))
            continue;
        /* In a program with names, a nameless frame is the jump to a function of a library. */
        const bool has_name = frame->site->function != NULL || frame->site->line > 0;
        if (has_name && (is_program_module(frame->site->module) || frame->site->line > 0))
            return frame;
        if (other == NULL)
            other = frame;
    }
    return other;
}

char *describe_place(const struct thread_stack *stack)
{
    const struct stack_frame *place = stack_find_place(stack);
    return place != NULL ? site_describe_function(place->site) : NULL;
}

/* The last frame that is shown, of `count`. */
static size_t find_last(const struct stack_frame *frames, size_t count)
{
    size_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = is_of_application(&frames[i]) ? i : last;
    return last;
}

/* Functions that call themselves from one line are shown once. */
static void write_frames(FILE *stream, const struct stack_frame *frames, size_t count)
{
    const size_t last = find_last(frames, count);
    char *before = copy_text("");
    size_t shown = 0;
    bool is_repeated = false;
    for (size_t i = 0; i <= last; i++) {
        if (!is_of_application(&frames[i]))
            continue;
        char *described = site_describe_function(frames[i].site);
        const bool is_equal = strcmp(before, described) == 0;
        if (is_equal && !is_repeated && shown <= MOST_SHOWN)
            fputs(" (repeated)", stream);
        is_repeated = is_equal;
        free(before);
        before = described;
        if (is_equal || (++shown > MOST_SHOWN && i != last))
            continue;
        fprintf(stream, "%s%s%s", shown > 1 ? " < " : "", shown > MOST_SHOWN + 1 ? "... < " : "", described);
    }
    free(before);
}

char *describe_stack(const struct thread_stack *stack)
{
    char *text;
    const size_t first = find_first(stack);
    if (first >= stack->frame_count)
        return NULL;
    FILE *stream = open_text(&text);
    char *called = stack_find_called(stack);
    if (called != NULL)
        fprintf(stream, "%s < ", called);
    free(called);
    write_frames(stream, stack->frames + first, stack->frame_count - first);
    if (stack->is_cut)
        fputs(" < ...", stream);
    fclose(stream);
    return text;
}
