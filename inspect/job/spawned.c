/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds programs beside the job.
 */
#include "job/job_internal.h"

#include "base/base.h"
#include "discover/discover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Processes that are named one by one. */
enum { MOST_NAMED = 4 };

static bool is_spawning(const struct thread *thread)
{
    return !thread->ended && thread->purpose == MPILENS_PURPOSE_SPAWN;
}

static bool has_spawning_thread(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; job->processes[i].reason == NULL && j < job->processes[i].thread_count; j++)
            if (is_spawning(&job->processes[i].threads[j]))
                return true;
    return false;
}

/* Whether it sleeps without waiting for a program that it has started, as a script does. */
static bool stands_still(pid_t pid)
{
    struct process_status status;
    char file[64];
    size_t bytes = 1;
    snprintf(file, sizeof file, "task/%ld/children", (long)pid);
    char *children = read_process_file("/proc", pid, file, &bytes);
    const bool has_children = children == NULL || bytes > 0;
    free(children);
    return !has_children && read_process_status("/proc", pid, &status) && status.state != 'R';
}

const struct found_rank *job_find_own_rank(const struct found_jobs *found, const struct job *job)
{
    for (size_t i = 0; i < found->count; i++)
        for (size_t j = 0; j < found->items[i].rank_count; j++)
            for (size_t k = 0; k < job->process_count; k++)
                if (job->processes[k].pid == found->items[i].ranks[j].pid && job->processes[k].core == NULL &&
                    !job->processes[k].is_saved)
                    return &found->items[i].ranks[j];
    return NULL;
}

static bool has_intercommunicator(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++)
            if (job->processes[i].communicators[j].intercommunicator)
                return true;
    return false;
}

/* Worlds with MPI in them may come to MPI_Init yet, or belong to an earlier call. 0: there is none. */
static pid_t find_other_world(const struct found_jobs *found, const struct found_rank *own)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].launcher_pid == own->launcher_pid && !is_same_world(&found->items[i].ranks[0], own))
            return found->items[i].ranks[0].pid;
    return 0;
}

/* "process 4711 (sleep), process 4712 (sleep)"; NULL: there is none, or one of them may join yet. */
static char *describe_spawned(const struct found_jobs *found, const struct found_rank *own)
{
    char *text;
    size_t count = 0;
    FILE *stream = open_text(&text);
    bool all_stand = own->launcher_pid != 0 && find_other_world(found, own) == 0;
    for (size_t i = 0; all_stand && i < found->without_mpi_count; i++) {
        const struct found_rank *one = &found->without_mpi[i];
        if (one->launcher_pid != own->launcher_pid || !one->is_spawned || is_same_world(one, own))
            continue;
        all_stand = stands_still(one->pid);
        if (count++ < MOST_NAMED)
            fprintf(stream, "%sprocess %ld (%s)", count > 1 ? ", " : "", (long)one->pid,
                    one->executable != NULL ? file_name(one->executable) : "?");
    }
    if (count > MOST_NAMED)
        fprintf(stream, " and %zu more", count - MOST_NAMED);
    fclose(stream);
    if (all_stand && count > 0)
        return text;
    free(text);
    return NULL;
}

static bool is_as_before(const struct job *before, const char *spawned)
{
    for (size_t i = 0; before != NULL && i < before->process_count; i++)
        for (size_t j = 0; j < before->processes[i].thread_count; j++)
            if (strcmp(before->processes[i].threads[j].spawned, spawned) == 0)
                return true;
    return before == NULL;
}

void job_find_spawned(struct job *job, const struct job *before)
{
    if (job->snapshot != NULL || !has_spawning_thread(job))
        return;
    struct found_jobs found = discover_jobs("/proc", ANY_USER);
    const struct found_rank *own = job_find_own_rank(&found, job);
    char *text = own != NULL ? describe_spawned(&found, own) : NULL;
    if (text != NULL && is_as_before(before, text)) {
        const char *spawned = text_pool_add(&job->names, text);
        for (size_t i = 0; i < job->process_count; i++)
            for (size_t j = 0; j < job->processes[i].thread_count; j++)
                if (is_spawning(&job->processes[i].threads[j]))
                    job->processes[i].threads[j].spawned = spawned;
    }
    free(text);
}

void job_find_other_world(struct job *job)
{
    if (job->snapshot != NULL || !has_intercommunicator(job))
        return;
    struct found_jobs found = discover_jobs("/proc", ANY_USER);
    const struct found_rank *own = job_find_own_rank(&found, job);
    if (own != NULL && own->launcher_pid != 0)
        job->other_world_pid = find_other_world(&found, own);
}
