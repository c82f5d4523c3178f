/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the processes to blame, for a debugger.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "stack/stack.h"
#include "text/text.h"
#include "words/words.h"

#include <stdbool.h>

/* More are a matter for `mpilens list`. */
enum { MOST_CULPRITS = 3 };

/* The next step with a process: it lives, or has a core file here. */
static const char *describe_next_step(const struct process *process, const char *target)
{
    if (process->core != NULL && process->has_ended)
        return arena_text(", dead: mpilens show %s", process->core);
    if (process->core != NULL)
        return arena_text(": gdb %s %s", process->executable != NULL ? process->executable : "PROGRAM", process->core);
    if (process->activity == ACTIVITY_STOPPED)
        return arena_text(", stopped: kill -CONT %ld, or go on in the debugger that has it", (long)process->pid);
    if (process->rank < 0)
        return arena_text(": gdb -p %ld", (long)process->pid);
    return arena_text(": mpilens gdb %d%s%s", process->rank, target != NULL ? " " : "", target != NULL ? target : "");
}

/* `only_core`: there is nothing else to look at. */
static void render_culprit(FILE *stream, const struct job *job, const struct process *process, bool only_core,
                           const char *target)
{
    const bool can_look = job->snapshot == NULL && !process->is_saved &&
                          (process->reason == NULL || process_was_seen(process)) &&
                          (!only_core || process->core != NULL);
    const char *next = process->state == PROCESS_EXITED ? ", exited"
                       : can_look                       ? describe_next_step(process, target)
                                                        : "";
    print_line(stream, "  rank %d: process %ld%s%s%s", process->rank, (long)process->pid,
               process->host != NULL ? " on " : "", process->host != NULL ? process->host : "", next);
}

void render_culprits(FILE *stream, const struct job *job, const struct finding *finding,
                     const struct render_options *options)
{
    size_t count = 0;
    for (size_t i = 0; i < finding->culprits.count; i++) {
        const struct process *process = find_process(job, finding->culprits.items[i]);
        if (process == NULL || process->pid <= 0)
            continue;
        if (count++ < MOST_CULPRITS)
            render_culprit(stream, job, process, options->is_ending || finding->kind == FINDING_RANK_DIED,
                           options->target);
    }
    if (count > MOST_CULPRITS)
        print_line(stream, "  + %zu more: 'mpilens list --verbose' has the processes of all ranks",
                   count - MOST_CULPRITS);
}
