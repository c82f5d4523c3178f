/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorts and joins the jobs that were found.
 */
#include "discover/discover.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

bool is_same_world(const struct found_rank *left, const struct found_rank *right)
{
    if (left->launcher_pid == 0 || left->launcher_pid != right->launcher_pid)
        return false;
    if (left->world == NULL || right->world == NULL)
        return left->world == right->world;
    return strcmp(left->world, right->world) == 0;
}

static int compare_ranks(const void *left_rank, const void *right_rank)
{
    const struct found_rank *left = left_rank;
    const struct found_rank *right = right_rank;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->pid < right->pid ? -1 : left->pid > right->pid;
}

pid_t found_job_pid(const struct found_job *job)
{
    return job->launcher_pid != 0 && !job->is_spawned ? job->launcher_pid : job->ranks[0].pid;
}

static int compare_jobs(const void *left_job, const void *right_job)
{
    const struct found_job *left = left_job, *right = right_job;
    if (left->is_spawned != right->is_spawned)
        return left->is_spawned ? 1 : -1;
    return found_job_pid(left) < found_job_pid(right) ? -1 : found_job_pid(left) > found_job_pid(right);
}

void found_jobs_finish(struct found_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        struct found_job *job = &jobs->items[i];
        qsort(job->ranks, job->rank_count, sizeof *job->ranks, compare_ranks);
        job->size = -1;
        for (size_t j = 0; j < job->rank_count; j++) {
            job->is_spawned = job->is_spawned || job->ranks[j].is_spawned;
            job->has_runtime = job->has_runtime || job->ranks[j].has_runtime;
            if (job->ranks[j].size > job->size)
                job->size = job->ranks[j].size;
        }
    }
    if (jobs->count > 1)
        qsort(jobs->items, jobs->count, sizeof *jobs->items, compare_jobs);
}

void found_job_join(struct found_job *job, struct found_job *other)
{
    for (size_t i = 0; i < other->rank_count; i++) {
        job->ranks = arena_append(job->ranks, &job->rank_count, sizeof *job->ranks);
        job->ranks[job->rank_count - 1] = other->ranks[i];
    }
    qsort(job->ranks, job->rank_count, sizeof *job->ranks, compare_ranks);
    job->size = other->size > job->size ? other->size : job->size;
    job->has_runtime = job->has_runtime || other->has_runtime;
    job->has_others = job->has_others || other->has_others;
    for (size_t i = 0; i < other->without_mpi_count; i++) {
        job->without_mpi = arena_append(job->without_mpi, &job->without_mpi_count, sizeof *job->without_mpi);
        job->without_mpi[job->without_mpi_count - 1] = other->without_mpi[i];
    }
    *other = (struct found_job){.size = -1};
}
