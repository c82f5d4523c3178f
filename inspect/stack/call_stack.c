/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Folds the frames of libraries into one line.
 */
#include "stack/stack.h"

#include "base/base.h"
#include "debug/debug.h"

#include <stdlib.h>
#include <string.h>

/* Functions may have been inlined into every frame. */
enum { MOST_LINES = 2 * MOST_STACK_FRAMES, MOST_INSIDE = 24 };

static bool is_mpi_function(const char *function)
{
    return function != NULL && (strncmp(function, "MPI_", 4) == 0 || strncmp(function, "PMPI_", 5) == 0);
}

/* The kind of a frame by itself. Functions that start programs and templates of C++ count as the system's; a library
 * of MPI that is linked in, which has no lines, as MPI's. */
static enum stack_line_kind kind_of(const struct stack_frame *frame)
{
    const struct site *site = frame->site;
    if (site == NULL)
        return STACK_LINE_PROGRAM;
    if (is_mpi_module(site->module) || (is_mpi_function(site->function) && site->line == 0))
        return STACK_LINE_MPI;
    if (is_system_module(site->module) || is_interpreter_module(site->module) || is_system_function(site->function))
        return STACK_LINE_LIBRARY;
    return site->function != NULL && strcmp(site->function, "_start") == 0 ? STACK_LINE_LIBRARY : STACK_LINE_PROGRAM;
}

/* Whether it belongs to a library between the runtime and MPI, such as a tool: it was called by a function of MPI's
 * interface in the same module, which the runtime called. Callbacks of MPI are called from within MPI. */
static bool is_in_layer(const struct stack_frame *frames, size_t count, size_t number)
{
    const char *module = frames[number].site->module;
    for (size_t i = number; i + 1 < count && module != NULL; i++) {
        const struct site *site = frames[i].site, *caller = frames[i + 1].site;
        if (site == NULL || site->module == NULL || is_mpi_module(site->module))
            return false;
        if (is_mpi_function(site->function) && strcmp(site->module, module) == 0)
            return caller != NULL && caller->module != NULL && is_mpi_module(caller->module);
    }
    return false;
}

/* The kind of a frame in a stack: the caller of MPI is shown, so that the call has a place; a library between the
 * runtime and MPI counts as MPI's. */
static enum stack_line_kind kind_at(const struct stack_frame *frames, size_t count, size_t number)
{
    const enum stack_line_kind kind = kind_of(&frames[number]);
    if (kind == STACK_LINE_PROGRAM && frames[number].site != NULL && is_in_layer(frames, count, number))
        return STACK_LINE_MPI;
    const bool is_template = kind == STACK_LINE_LIBRARY && is_system_function(frames[number].site->function) &&
                             !is_system_module(frames[number].site->module);
    return is_template && number > 0 && kind_of(&frames[number - 1]) == STACK_LINE_MPI ? STACK_LINE_PROGRAM : kind;
}

/* Whether it is the jump to a function of a library, which has no name where its caller has one. */
static bool is_jump(const struct stack_frame *frame, const struct stack_frame *caller)
{
    const struct site *site = frame->site;
    return site->function == NULL && site->line == 0 && is_program_module(site->module) && caller->site != NULL &&
           caller->site->function != NULL && kind_of(caller) == STACK_LINE_PROGRAM;
}

/* The function that the program called: the outermost function of MPI's interface, or just the outermost one. The text
 * is one of the names. */
static const char *called_function(struct text_pool *names, const struct stack_frame *frames, size_t count,
                                   enum stack_line_kind kind)
{
    for (size_t i = count; kind == STACK_LINE_MPI && i > 0; i--) {
        const struct site *site = frames[i - 1].site;
        if (is_mpi_function(site->function))
            return text_pool_add(names, site->function[0] == 'P' ? site->function + 1 : site->function);
    }
    const char *function = frames[count - 1].site->function;
    if (kind == STACK_LINE_MPI || function == NULL)
        return "";
    char *plain = system_function_name(function);
    const char *name = text_pool_add(names, plain);
    free(plain);
    return name;
}

static void add_line(struct call_stack *stack, const struct stack_line *line)
{
    stack->lines = array_append(stack->lines, &stack->line_count, sizeof *stack->lines);
    stack->lines[stack->line_count - 1] = *line;
}

/* Functions that call themselves from one line are one. */
static void add_program_frame(struct call_stack *stack, const struct stack_frame *frame)
{
    struct stack_line *before = stack->line_count > 0 ? &stack->lines[stack->line_count - 1] : NULL;
    if (before != NULL && before->kind == STACK_LINE_PROGRAM && before->site == frame->site &&
        before->inlined == frame->is_inlined) {
        before->frames++;
        return;
    }
    const struct stack_line line = {.kind = STACK_LINE_PROGRAM,
                                    .address = frame->address,
                                    .site = frame->site,
                                    .function = "",
                                    .frames = 1,
                                    .inlined = frame->is_inlined};
    add_line(stack, &line);
}

/* Frames of libraries, innermost first, called by the program unless the thread is none of its own. */
static void add_library_frames(struct text_pool *names, struct call_stack *stack, const struct stack_frame *frames,
                               size_t count, bool is_called)
{
    enum stack_line_kind kind = kind_of(&frames[count - 1]);
    for (size_t i = 0; i < count && !is_called; i++)
        kind = kind_of(&frames[i]) == STACK_LINE_MPI ? STACK_LINE_MPI : kind;
    const struct stack_frame *entry = is_called ? &frames[count - 1] : &frames[0];
    const struct stack_line line = {.kind = kind,
                                    .address = entry->address,
                                    .site = entry->site,
                                    .function = called_function(names, frames, is_called ? count : 1, kind),
                                    .frames = (uint32_t)count};
    add_line(stack, &line);
}

/* "epoll_wait < MPIDI_progress", of the frames up to the first function of MPI's interface; "": there is none. */
static const char *describe_inside(struct text_pool *names, const struct thread_stack *thread)
{
    char *text;
    size_t end = 0;
    while (end < thread->frame_count &&
           (thread->frames[end].site == NULL || !is_mpi_function(thread->frames[end].site->function)))
        end++;
    FILE *stream = open_text(&text);
    for (size_t i = 0; i < end && end < thread->frame_count; i++) {
        const struct site *site = thread->frames[i].site;
        if (i == MOST_INSIDE) {
            fputs(" < ...", stream);
            break;
        }
        char *function = site == NULL             ? copy_text("?")
                         : site->function == NULL ? site_describe_offset(site)
                                                  : system_function_name(site->function);
        fprintf(stream, "%s%s", i > 0 ? " < " : "", function);
        free(function);
    }
    fclose(stream);
    const char *inside = text_pool_add(names, text);
    free(text);
    return inside;
}

static bool stands_still(const struct process *process, const struct thread_stack *thread)
{
    return process->kernel != NULL && process->kernel->tid == (uint32_t)thread->tid;
}

static struct call_stack fold(struct text_pool *names, const struct thread_stack *thread)
{
    struct call_stack stack = {.tid = (uint32_t)thread->tid, .inside = "", .is_cut = thread->is_cut};
    const struct stack_frame *frames = thread->frames;
    bool has_program = false;
    for (size_t i = 0, end; i < thread->frame_count; i = end) {
        end = i + 1;
        if (frames[i].site == NULL) /* nothing is known of it */
            continue;
        if (kind_at(frames, thread->frame_count, i) == STACK_LINE_PROGRAM) {
            if (end == thread->frame_count || !is_jump(&frames[i], &frames[end]))
                add_program_frame(&stack, &frames[i]);
            has_program = true;
            continue;
        }
        while (end < thread->frame_count && kind_at(frames, thread->frame_count, end) != STACK_LINE_PROGRAM)
            end++;
        const bool is_outermost = end == thread->frame_count;
        if (!is_outermost || !has_program || thread->is_cut)
            add_library_frames(names, &stack, &frames[i], end - i, !is_outermost || thread->is_cut);
    }
    if (stack.line_count > MOST_LINES) {
        stack.line_count = MOST_LINES;
        stack.is_cut = true;
    }
    return stack;
}

void process_take_call_stacks(struct job *job, struct process *process, const struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->thread_count; i++) {
        if (stacks->threads[i].frame_count == 0 && !stacks->threads[i].is_left_out)
            continue;
        process->call_stacks =
            array_append(process->call_stacks, &process->call_stack_count, sizeof *process->call_stacks);
        struct call_stack *stack = &process->call_stacks[process->call_stack_count - 1];
        *stack = fold(&job->names, &stacks->threads[i]);
        if (stands_still(process, &stacks->threads[i]))
            stack->inside = describe_inside(&job->names, &stacks->threads[i]);
    }
}

bool call_stack_is_of_program(const struct call_stack *stack)
{
    for (size_t i = 0; i < stack->line_count; i++)
        if (stack->lines[i].kind == STACK_LINE_PROGRAM)
            return true;
    return false;
}

static char *describe_library_line(const struct stack_line *line)
{
    const char *library = line->kind == STACK_LINE_MPI                ? "MPI library"
                          : line->site == NULL                        ? "?"
                          : is_interpreter_module(line->site->module) ? "interpreter"
                                                                      : file_name(line->site->module);
    return line->function[0] != '\0' && strcmp(library, "interpreter") != 0
               ? format_text("%s (%s)", line->function, library)
               : copy_text(library);
}

char *describe_stack_line(const struct stack_line *line)
{
    const struct site *site = line->site;
    if (line->kind != STACK_LINE_PROGRAM)
        return describe_library_line(line);
    if (site == NULL)
        return copy_text("?");
    char *place = site_describe_function(site);
    char *text = format_text("%s%s", place, line->frames > 1 ? " (repeated)" : "");
    free(place);
    return text;
}
