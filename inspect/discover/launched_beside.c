/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at the children of the launchers of a job.
 */
#include "discover/discover.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static bool has_rank(const struct found_job *job, int rank)
{
    for (size_t i = 0; i < job->rank_count; i++)
        if (job->ranks[i].rank == rank)
            return true;
    return false;
}

/* Adds only the topmost of the processes of one rank. */
static void add_without_mpi(const struct found_jobs *jobs, const struct found_rank *rank, struct found_job *job)
{
    for (size_t i = 0; i < job->without_mpi_count; i++) {
        struct numbered_process *other = &job->without_mpi[i];
        if (other->rank != rank->rank)
            continue;
        if (process_table_has_ancestor(&jobs->processes, rank->pid, other->pid))
            other->pid = rank->pid;
        return;
    }
    job->without_mpi = arena_append(job->without_mpi, &job->without_mpi_count, sizeof *job->without_mpi);
    job->without_mpi[job->without_mpi_count - 1] = (struct numbered_process){rank->pid, rank->rank};
}

static int compare_numbers(const void *left, const void *right)
{
    return ((const struct numbered_process *)left)->rank - ((const struct numbered_process *)right)->rank;
}

/* The nearest launcher above the process, the outermost one excepted; 0: there is none. */
static pid_t find_nearest_launcher(const struct process_table *table, pid_t pid)
{
    const struct process_status *status = process_table_find(table, pid);
    for (size_t i = 0; i < table->count && status != NULL && status->pid > 1; i++) {
        status = process_table_find(table, status->parent);
        if (status != NULL && is_launcher(status->name))
            return status->pid;
    }
    return 0;
}

/* Whether a rank of the job, or one without MPI, is the process or below it. */
static bool leads_to_rank(const struct found_jobs *jobs, const struct found_job *job, pid_t pid)
{
    for (size_t i = 0; i < job->rank_count; i++)
        if (job->ranks[i].pid == pid || process_table_has_ancestor(&jobs->processes, pid, job->ranks[i].pid))
            return true;
    for (size_t i = 0; i < job->without_mpi_count; i++)
        if (job->without_mpi[i].pid == pid)
            return true;
    return false;
}

/* `now` was read after the ranks were found: whatever was started before one of them is in it, or has ended.
 * A child with the launcher's name may be a copy that is about to call exec. */
static void look_at_children(const struct found_jobs *jobs, const struct process_table *now, pid_t launcher,
                             struct found_job *job)
{
    const struct process_status *own = process_table_find(now, launcher);
    for (size_t i = 0; own != NULL && i < now->count; i++) {
        const struct process_status *status = &now->items[i];
        const bool is_other_launcher = is_launcher(status->name) && strcmp(status->name, own->name) != 0;
        if (status->parent != launcher || is_other_launcher || leads_to_rank(jobs, job, status->pid))
            continue;
        if (!status->is_ending) {
            job->has_others = true;
        } else if (!is_launcher(status->name)) {
            job->ended = arena_append(job->ended, &job->ended_count, sizeof *job->ended);
            job->ended[job->ended_count - 1] = status->pid;
        }
    }
}

static bool may_have_others(const struct found_job *job)
{
    return job->launcher_pid != 0 && (job->size < 0 || job->rank_count < (size_t)job->size);
}

static void find_beside(const struct found_jobs *jobs, const struct process_table *now, struct found_job *job)
{
    for (size_t i = 0; i < jobs->without_mpi_count; i++) {
        const struct found_rank *rank = &jobs->without_mpi[i];
        if (rank->rank >= 0 && is_same_world(rank, &job->ranks[0]) && !has_rank(job, rank->rank))
            add_without_mpi(jobs, rank, job);
    }
    if (job->without_mpi_count > 1)
        qsort(job->without_mpi, job->without_mpi_count, sizeof *job->without_mpi, compare_numbers);
    pid_t last = 0;
    for (size_t i = 0; i < job->rank_count; i++) {
        const pid_t launcher = find_nearest_launcher(&jobs->processes, job->ranks[i].pid);
        if (launcher != 0 && launcher != last)
            look_at_children(jobs, now, launcher, job);
        last = launcher;
    }
}

void launched_beside_find(const char *proc, struct found_jobs *jobs)
{
    struct process_table now = {.count = 0};
    for (size_t i = 0; i < jobs->count; i++) {
        if (!may_have_others(&jobs->items[i]))
            continue;
        if (now.count == 0)
            now = process_table_read(proc);
        find_beside(jobs, &now, &jobs->items[i]);
    }
}
