/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the stacks of several processes at a time: on a busy host, one after the other would take as many turns of the
 * scheduler.
 */
#include "stack/stack_internal.h"

/* More do not stand still at the same time. */
enum { MOST_AT_A_TIME = 64 };

struct held {
    struct process *process;
    struct stacks_reading *reading;
};

void job_read_stacks(struct job *job, bool (*is_wanted)(const struct process *process),
                     void (*take)(struct job *job, struct process *process, const struct stacks *stacks))
{
    struct held held[MOST_AT_A_TIME];
    struct reason reason;
    for (size_t next = 0; next < job->process_count && !cut_short_is_asked();) {
        size_t count = 0;
        for (; next < job->process_count && count < MOST_AT_A_TIME; next++) {
            struct process *process = &job->processes[next];
            if (process->target != NULL && is_wanted(process) &&
                stacks_begin(process->target, &held[count].reading, &reason) == 0)
                held[count++].process = process;
        }
        for (size_t i = 0; i < count; i++)
            stacks_unwind(held[i].reading);
        for (size_t i = 0; i < count; i++)
            stacks_release(held[i].reading);
        for (size_t i = 0; i < count; i++) {
            struct stacks stacks;
            progress_note("reading the call stacks of %zu of %zu ranks", next - count + i + 1, job->process_count);
            if (stacks_finish(held[i].reading, &job->sites, &stacks, &reason) != 0)
                continue;
            take(job, held[i].process, &stacks);
            arena_clear(&stacks.arena);
        }
    }
}
