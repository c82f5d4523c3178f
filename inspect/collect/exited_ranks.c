/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the black boxes of ranks that have exited while their job runs.
 */
#include "collect/collect_internal.h"

#include "base/base.h"
#include "boxes/boxes.h"
#include "discover/discover.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether only this user can put files there. The runtime asks for the same (runtime/memory/box_file.c). */
static bool is_of_user(const char *directory, uid_t user)
{
    struct stat information;
    return lstat(directory, &information) == 0 && S_ISDIR(information.st_mode) && information.st_uid == user &&
           (information.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Where `mpilens run` has had the ranks of the user keep their black boxes. The caller frees it; NULL: nowhere. */
static char *find_directory(const struct found_job *found, uid_t user)
{
    char *directory = NULL;
    for (size_t i = 0; i < found->rank_count && directory == NULL; i++) {
        size_t bytes;
        char *environment =
            found->ranks[i].has_runtime ? read_process_file("/proc", found->ranks[i].pid, "environ", &bytes) : NULL;
        const char *value = environment != NULL ? find_variable(environment, bytes, "MPILENS_KEEP") : NULL;
        if (value != NULL && value[0] == '/' && is_of_user(value, user))
            directory = copy_text(value);
        free(environment);
    }
    return directory;
}

/* An identity may come again; boxes of the earlier job are older than this launcher then. */
static bool is_of_job(const struct box *box, const struct found_job *found, const struct job *job, uid_t user)
{
    struct stat information;
    return box->process.uid == user && lstat(box->path, &information) == 0 && information.st_uid == user &&
           strcmp(box->process.job_identity, job->identity) == 0 && box_is_from_here(box) && !box_is_live(box) &&
           (found->launcher_pid == 0 || box->process.started >= process_start("/proc", found->launcher_pid));
}

/* The one of the first `count` processes that ended before it could be read; NULL: none. */
static struct process *find_lost(struct job *job, size_t count, pid_t pid)
{
    for (size_t i = 0; i < count; i++)
        if (job->processes[i].pid == pid && job->processes[i].reason != NULL && job->processes[i].core == NULL)
            return &job->processes[i];
    return NULL;
}

/* Whether something else is, or may become, this rank: a script may start one program after the other. */
static bool has_other(const struct found_job *found, const struct job *job, size_t count, int rank)
{
    for (size_t i = 0; i < count; i++)
        if (job->processes[i].rank == rank)
            return true;
    for (size_t i = 0; i < found->without_mpi_count; i++)
        if (found->without_mpi[i].rank == rank)
            return true;
    return false;
}

static void add_box(const struct dll *dll, const struct found_job *found, const struct box *box,
                    const struct collect_plan *plan, struct job *job)
{
    const size_t count = job->process_count;
    add_core(job, box->path);
    read_process(dll, job, &job->processes[count], plan);
    struct process *added = &job->processes[count], *lost = find_lost(job, count, added->pid);
    const bool is_wanted =
        added->reason == NULL && added->rank >= 0 && (lost != NULL || !has_other(found, job, count, added->rank));
    if (is_wanted && added->state != PROCESS_FINALIZED)
        added->state = PROCESS_EXITED;
    if (is_wanted && lost == NULL)
        return;
    process_clear(is_wanted ? lost : added);
    if (is_wanted)
        *lost = *added;
    job->process_count--;
}

static bool lacks_ranks(const struct job *job)
{
    bool lacks = job->size < 0 || job->process_count < (size_t)job->size;
    for (size_t i = 0; i < job->process_count && !lacks; i++)
        lacks = job->processes[i].reason != NULL;
    return lacks;
}

void add_exited_ranks(const struct dll *dll, const struct found_job *found, const struct collect_plan *plan,
                      struct job *job)
{
    struct boxes boxes = {.count = 0};
    struct reason reason;
    struct process_status first = {.user = 0};
    const bool is_wanted = plan->depth == COLLECT_ALL && job->identity != NULL && lacks_ranks(job) &&
                           found->rank_count > 0 && read_process_status("/proc", found->ranks[0].pid, &first);
    char *directory = is_wanted ? find_directory(found, first.user) : NULL;
    if (directory != NULL && boxes_add(&boxes, directory, &reason) == 0)
        for (size_t i = 0; i < boxes.count; i++)
            if (is_of_job(&boxes.items[i], found, job, first.user))
                add_box(dll, found, &boxes.items[i], plan, job);
    free(directory);
    settle_processes(job);
}
