/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds jobs in directories of black boxes.
 */
#include "job/job_internal.h"

#include "base/base.h"
#include "boxes/boxes.h"
#include "snapshot/snapshot.h"
#include "target/target.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool box_directory_is(const char *target)
{
    struct stat information;
    return stat(target, &information) == 0 && S_ISDIR(information.st_mode);
}

static void add_target(struct box_targets *targets, const char *target)
{
    targets->targets = arena_append(targets->targets, &targets->count, sizeof *targets->targets);
    targets->targets[targets->count - 1] = (char *)target;
}

static struct box_targets choose_targets(const struct box_job *job)
{
    struct box_targets targets = {.identity = arena_copy(job->boxes->process.job_identity),
                                  .started = job->made.tv_sec};
    size_t dead = 0;
    for (size_t i = 0; i < job->count; i++) {
        const struct box *box = &job->boxes[i];
        const bool is_live = box_is_live(box);
        dead += !is_live;
        add_target(&targets, is_live ? arena_text("%lu", (unsigned long)box->process.pid) : box->path);
    }
    targets.is_ended = dead == job->count;
    if (dead == 0 && targets.count > 1)
        targets.count = 1;
    return targets;
}

int box_directory_read(const char *path, struct box_targets *ret_targets, struct reason *ret_reason)
{
    struct boxes boxes = {.count = 0};
    if (boxes_add(&boxes, path, ret_reason) != 0)
        return -1;
    struct box_jobs jobs = box_jobs_find(&boxes);
    if (jobs.count > 0)
        *ret_targets = choose_targets(&jobs.items[0]);
    else
        reason_set(ret_reason, "%s: there is neither a black box of 'mpilens run' nor a core file nor a snapshot in it",
                   path);
    return jobs.count > 0 ? 0 : -1;
}

bool file_directory_read(const char *path, struct box_targets *ret_targets)
{
    struct box_targets targets = {.count = 0};
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const char *file = arena_text("%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && access(file, R_OK) == 0 && !box_directory_is(file) &&
            (snapshot_is(file) || target_core_may_be(file)))
            add_target(&targets, file);
    }
    if (directory != NULL)
        closedir(directory);
    if (targets.count == 0)
        return false;
    qsort(targets.targets, targets.count, sizeof *targets.targets, texts_compare);
    *ret_targets = targets;
    return true;
}

static bool has_pid(const struct box_job *job, pid_t pid)
{
    for (size_t i = 0; i < job->count; i++)
        if ((pid_t)job->boxes[i].process.pid == pid)
            return true;
    return false;
}

static bool is_wanted(const struct box_job *job, const struct ended_choice *choice)
{
    if (!box_is_from_here(job->boxes))
        return false;
    if (choice->identity != NULL && strcmp(job->boxes->process.job_identity, choice->identity) != 0)
        return false;
    return (choice->pid == 0 || has_pid(job, choice->pid)) && !box_job_is_live(job);
}

static size_t find_of_users(const struct ended_choice *choice, bool all, struct box_targets **ret_jobs)
{
    struct boxes boxes = {.count = 0};
    struct box_targets *found = NULL;
    size_t count = 0;
    box_places_read(&boxes, all);
    struct box_jobs jobs = box_jobs_find(&boxes);
    for (size_t i = 0; i < jobs.count && count < choice->most; i++) {
        if (!is_wanted(&jobs.items[i], choice))
            continue;
        found = arena_append(found, &count, sizeof *found);
        found[count - 1] = choose_targets(&jobs.items[i]);
    }
    *ret_jobs = found;
    return count;
}

size_t ended_jobs_find(const struct ended_choice *choice, struct box_targets **ret_jobs)
{
    size_t count = choice->most > 1 && geteuid() == 0 ? 0 : find_of_users(choice, false, ret_jobs);
    if (count == 0 && geteuid() == 0)
        count = find_of_users(choice, true, ret_jobs);
    return count;
}

const char *ended_job_identity(const struct ended_choice *choice)
{
    struct box_targets *jobs = NULL;
    const size_t count = ended_jobs_find(choice, &jobs);
    return count > 0 && jobs[0].identity[0] != '\0' ? jobs[0].identity : NULL;
}
