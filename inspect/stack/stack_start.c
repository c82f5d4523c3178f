/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Leaves out the frames that start a program.
 */
#include "stack/stack_internal.h"

#include <string.h>

/* Beginning of the C library's functions that call main. */
static const char start_beginning[] = "__libc_start_";

static bool is_start(const struct stack_frame *frame)
{
    return frame->site != NULL && frame->site->function != NULL &&
           strncmp(frame->site->function, start_beginning, strlen(start_beginning)) == 0;
}

static bool is_called(const struct site *site, const char *name)
{
    return site->function != NULL && strcmp(site->function, name) == 0;
}

/* By the ending of its name, such as .f90, .F or .for. */
static bool is_of_fortran(const struct site *site)
{
    const char *ending = site->file != NULL ? strrchr(site->file, '.') : NULL;
    return ending != NULL && (ending[1] == 'f' || ending[1] == 'F');
}

/* Whether it is the main that calls the main program, which has the name that its author gave it, or MAIN__. */
static bool is_fortran_main(const struct stack_frame *frame, const struct stack_frame *called)
{
    const struct site *outer = frame->site, *inner = called->site;
    if (outer == NULL || inner == NULL || !is_called(outer, "main"))
        return false;
    return is_called(inner, "MAIN__") ||
           (is_of_fortran(outer) && inner->file != NULL && strcmp(inner->file, outer->file) == 0);
}

void stack_leave_out_start(struct thread_stack *stack)
{
    struct stack_frame *frames = stack->frames;
    for (size_t i = 1; i < stack->frame_count; i++) {
        if (!is_start(&frames[i]))
            continue;
        stack->frame_count = i;
        stack->start_pointer = frames[i].registers.stack_pointer;
        stack->is_cut = false;
    }
    const size_t count = stack->frame_count;
    if (count < 2 || !is_fortran_main(&frames[count - 1], &frames[count - 2]))
        return;
    stack->frame_count--;
    frames[count - 2].is_inlined = false;
}
