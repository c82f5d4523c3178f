/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds where the program has called a library.
 */
#include "model/model.h"

#include "debug/debug.h"

bool site_is_of_library(const struct site *site)
{
    return site != NULL && !is_program_module(site->module);
}

const struct site *find_library_site(struct site_cache *cache, const struct process *process,
                                     const struct thread *thread)
{
    const struct call_stack *stack = site_is_of_library(thread->site) ? find_call_stack(process, thread->tid) : NULL;
    const struct site *outermost = NULL, *caller = NULL;
    for (size_t i = 0; stack != NULL && i < stack->line_count && caller == NULL; i++) {
        const struct stack_line *line = &stack->lines[i];
        if (line->kind != STACK_LINE_PROGRAM || line->site == NULL)
            continue;
        if (site_is_of_library(line->site))
            outermost = line->site;
        else
            caller = line->site;
    }
    if (outermost == NULL || outermost->function == NULL || caller == NULL)
        return NULL;
    struct site site = *caller;
    site.called = outermost->function;
    return site_cache_add(cache, &site);
}
