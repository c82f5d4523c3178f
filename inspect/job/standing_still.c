/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at ranks that stand still in MPI.
 */
#include "job/job_internal.h"

#include "base/base.h"

#include <time.h>

/* Shorter calls are not examined: calls are made all the time. */
static const double least_age_s = 1;

/* So many processes without tables are looked at again, so often: of messages that go to and fro, all of a job moves.
 */
enum { MOST_AGAIN = 4, TIMES_AGAIN = 3, PAUSE_NANOSECONDS = 2000000 };

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

static bool is_any_moving(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].kernel != NULL && job->processes[i].kernel->shared_memory_changed)
            return true;
    return false;
}

static void look_again(struct job *job)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_NANOSECONDS};
    const size_t step = job->process_count / MOST_AGAIN + 1;
    for (int times = 0; times < TIMES_AGAIN && !is_any_moving(job); times++) {
        nanosleep(&pause, NULL);
        for (size_t i = 0; i < job->process_count; i += step)
            if (job->processes[i].lacks_tables && job->processes[i].kernel != NULL)
                kernel_facts_look_again(job->processes[i].pid, job->processes[i].kernel);
    }
}

void job_find_standing_still(struct job *job, const struct job *before)
{
    bool lacks_tables = false;
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
        lacks_tables = lacks_tables || process->lacks_tables;
    }
    if (before != NULL && lacks_tables)
        look_again(job);
}
