/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The place of a call that a library has made, as the user of that library knows it.
 */
#include "analysis/library_place.h"

#include "base/allocation.h"
#include "debug/system_module.h"
#include "target/site.h"

#include <stdlib.h>

static bool is_of_library(const struct site *site)
{
    return site != NULL && !is_program_module(site->module);
}

char *describe_library_place(const struct process *process, const struct thread *thread)
{
    const struct call_stack *stack = is_of_library(thread->site) ? find_call_stack(process, thread->tid) : NULL;
    const struct site *outermost = NULL, *caller = NULL;
    for (size_t i = 0; stack != NULL && i < stack->line_count && caller == NULL; i++) {
        const struct stack_line *line = &stack->lines[i];
        if (line->kind != STACK_LINE_PROGRAM || line->site == NULL)
            continue;
        if (is_of_library(line->site))
            outermost = line->site;
        else
            caller = line->site;
    }
    if (outermost == NULL || outermost->function == NULL || caller == NULL)
        return NULL;
    char *where =
        caller->file != NULL ? format_text("%s:%d", caller->file, caller->line) : site_describe_function(caller);
    char *place = format_text(" in %s, called %s %s", outermost->function, caller->file != NULL ? "at" : "by", where);
    free(where);
    return place;
}
