/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the processes to blame, for a debugger.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "discover/discover.h"
#include "stack/stack.h"
#include "text/text.h"
#include "words/words.h"

#include <stdbool.h>

static struct culprit_step step(const char *before, const char *command)
{
    return (struct culprit_step){before, command, ""};
}

/* The command, on the host of the process. */
static const char *there(const struct process *process, const char *ssh, const char *command)
{
    const bool is_far = process->is_sent && process->host != NULL && !is_this_host(process->host);
    return is_far ? arena_text("%s %s %s", ssh, process->host, command) : command;
}

/* Starts gdb on its core file, or on the process. */
static const char *gdb_command(const struct process *process, const char *target)
{
    if (process->rank < 0 && process->core != NULL)
        return arena_text("gdb %s %s", process->executable != NULL ? process->executable : "PROGRAM", process->core);
    if (process->rank < 0)
        return there(process, "ssh -t", arena_text("gdb -p %ld", (long)process->pid));
    target = process->core != NULL ? process->core : target;
    return arena_text("mpilens gdb %d%s%s", process->rank, target != NULL ? " " : "", target != NULL ? target : "");
}

/* It lives, or has a core file here. */
static struct culprit_step step_with(const struct process *process, const char *target)
{
    if (process->core != NULL && process->is_sent)
        return step("", NULL);
    if (process->core != NULL && process->has_ended)
        return step(", dead", arena_text("mpilens show %s", process->core));
    if (process->core == NULL && process->activity == ACTIVITY_STOPPED)
        return (struct culprit_step){", stopped",
                                     there(process, "ssh", arena_text("kill -CONT %ld", (long)process->pid)),
                                     ", or go on in the debugger that has it"};
    return step("", gdb_command(process, target));
}

struct culprit_step culprit_next_step(const struct job *job, const struct process *process,
                                      const struct finding *finding, const struct render_options *options)
{
    /* nothing else to look at */
    const bool only_core = options->is_ending || finding->kind == FINDING_RANK_DIED;
    const bool can_look = process_is_read_now(job, process) && (process->reason == NULL || process_was_seen(process)) &&
                          (!only_core || process->core != NULL);
    if (process->state == PROCESS_EXITED)
        return step(", exited", NULL);
    return can_look ? step_with(process, options->target) : step("", NULL);
}

const char *describe_culprit(const struct process *process)
{
    return arena_text("rank %d: process %ld%s%s", process->rank, (long)process->pid,
                      process->host != NULL ? " on " : "", process->host != NULL ? process->host : "");
}

static void render_culprit(FILE *stream, const struct process *process, const struct culprit_step *next)
{
    print_line(stream, "  %s%s%s%s%s", describe_culprit(process), next->before, next->command != NULL ? ": " : "",
               next->command != NULL ? next->command : "", next->after);
}

void render_culprits(FILE *stream, const struct job *job, const struct finding *finding,
                     const struct render_options *options)
{
    size_t count = 0;
    for (size_t i = 0; i < finding->culprits.count; i++) {
        const struct process *process = find_process(job, finding->culprits.items[i]);
        if (process == NULL || process->pid <= 0)
            continue;
        const struct culprit_step next = culprit_next_step(job, process, finding, options);
        if (count++ < MOST_CULPRITS)
            render_culprit(stream, process, &next);
    }
    if (count > MOST_CULPRITS)
        print_line(stream, "  + %zu more: 'mpilens list --verbose' has the processes of all ranks",
                   count - MOST_CULPRITS);
}
