/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at ranks that stand still in MPI.
 */
#include "job/standing_still.h"

#include "base/allocation.h"

/* Who is in a call for less time is not looked at: calls are made all the time. */
static const double least_age_s = 1;

static bool is_live(const struct process *process)
{
    return process->target != NULL && !process->is_saved && process->core == NULL && process->pid > 0 &&
           (process->reason == NULL || process->lacks_tables);
}

static bool stands(const struct thread *thread)
{
    return !thread->ended && thread->function[0] != '\0' && !thread->polling && thread->age_s >= least_age_s;
}

/* The first one; NULL: none does. */
static const struct thread *find_standing(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (stands(&process->threads[i]))
            return &process->threads[i];
    return NULL;
}

static const struct thread *find_thread(const struct process *process, uint32_t tid)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (process->threads[i].tid == tid)
            return &process->threads[i];
    return NULL;
}

/* As it was in the earlier sample; NULL: it was not looked at there. */
static const struct process *find_earlier(const struct job *before, const struct process *process)
{
    const struct process *earlier = find_process(before, process->rank);
    return earlier != NULL && earlier->pid == process->pid && earlier->kernel != NULL ? earlier : NULL;
}

static void look_at(struct job *job, struct process *process, const struct process *earlier, uint32_t tid)
{
    struct kernel_facts facts;
    if (kernel_facts_read(process->pid, (pid_t)tid, &job->names, &facts) != 0)
        return;
    if (earlier != NULL)
        kernel_facts_compare(earlier->kernel, &facts);
    process->kernel = allocate(sizeof *process->kernel);
    *process->kernel = facts;
}

/* The thread that was looked at, where it is still in that call. */
static const struct thread *find_same(const struct process *process, const struct process *earlier)
{
    const struct thread *was = find_thread(earlier, earlier->kernel->tid);
    const struct thread *is = find_thread(process, earlier->kernel->tid);
    return was != NULL && is != NULL && stands(is) && was->entered == is->entered ? is : NULL;
}

void job_find_standing_still(struct job *job, const struct job *before)
{
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        if (!is_live(process) || process->kernel != NULL)
            continue;
        const struct process *earlier = before != NULL ? find_earlier(before, process) : NULL;
        const struct thread *thread = before == NULL    ? find_standing(process)
                                      : earlier != NULL ? find_same(process, earlier)
                                                        : NULL;
        if (process->lacks_tables && (before == NULL || earlier != NULL))
            look_at(job, process, earlier, (uint32_t)process->pid); /* whether it stands still nobody tells */
        else if (thread != NULL)
            look_at(job, process, earlier, thread->tid);
    }
}
