/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the other MPI_COMM_WORLDs of the launcher of a job.
 */
#include "job/job.h"
#include "job/job_internal.h"

#include "base/base.h"
#include "discover/discover.h"

#include <stdlib.h>

static bool has_waited(const struct job *job, double patience_s)
{
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].thread_count; j++)
            if (job->processes[i].threads[j].stalled && job->processes[i].threads[j].age_s > patience_s)
                return true;
    return false;
}

/* A process that the launcher has started and that has no MPI yet may become the first rank of another world. */
static bool may_be_more(const struct found_jobs *found, const struct found_rank *own)
{
    for (size_t i = 0; i < found->without_mpi_count; i++) {
        const struct found_rank *one = &found->without_mpi[i];
        bool is_known = one->launcher_pid != own->launcher_pid;
        for (size_t j = 0; j < found->count && !is_known; j++)
            is_known = is_same_world(&found->items[j].ranks[0], one);
        if (!is_known)
            return true;
    }
    return false;
}

static void read_other_world(const struct dll *dll, const struct sample_plan *plan, pid_t pid, struct job *ret_job)
{
    char *target = format_text("%ld", (long)pid);
    const struct job_request request = {
        .targets = &target, .target_count = 1, .stacks_suffice = true, .plan.depth = COLLECT_ALL};
    const struct sample_plan watched = {.samples = plan->samples, .interval_s = plan->interval_s};
    struct reason reason;
    if (sample_job(dll, &request, &watched, ret_job, &reason) != EXIT_GOOD)
        *ret_job = (struct job){.size = -1};
    free(target);
}

void job_read_other_worlds(const struct dll *dll, const struct sample_plan *plan, double patience_s, double began_s,
                           struct job *job)
{
    if (job->other_world_pid == 0 || !has_waited(job, patience_s))
        return;
    struct found_jobs found = discover_jobs("/proc", ANY_USER);
    const struct found_rank *own = job_find_own_rank(&found, job);
    for (size_t i = 0; own != NULL && i < found.count && !may_be_more(&found, own); i++) {
        const struct found_rank *first = &found.items[i].ranks[0];
        if (first->launcher_pid != own->launcher_pid || is_same_world(first, own))
            continue;
        job->other_worlds = array_append(job->other_worlds, &job->other_world_count, sizeof *job->other_worlds);
        read_other_world(dll, plan, first->pid, &job->other_worlds[job->other_world_count - 1]);
    }
    job->other_worlds_took_s = monotonic_s() - began_s;
}
