/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the job that the user named into a model.
 */

#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "job/job_internal.h"
#include "snapshot/snapshot.h"
#include "stack/stack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the job may be the one that is meant: those without a runtime are only where there are no others. */
static bool may_be_meant(const struct found_job *job, bool with_runtime)
{
    return job->has_runtime == with_runtime;
}

static bool has_runtime(const struct found_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->items[i].has_runtime)
            return true;
    return false;
}

static enum exit_status refuse_several(const struct dll *dll, const struct found_jobs *jobs, bool with_runtime,
                                       struct reason *ret_reason)
{
    const struct found_job **meant = allocate(jobs->count * sizeof *meant);
    size_t count = 0;
    for (size_t i = 0; i < jobs->count; i++)
        if (may_be_meant(&jobs->items[i], with_runtime))
            meant[count++] = &jobs->items[i];
    several_jobs_tell(dll, meant, count, ret_reason);
    free((void *)meant);
    return EXIT_USAGE;
}

static const struct found_job *only_job(const struct dll *dll, const struct found_jobs *jobs,
                                        const struct job_request *request, enum exit_status *ret_status,
                                        struct reason *ret_reason)
{
    const bool with_runtime = has_runtime(jobs) || !request->stacks_suffice;
    const struct found_job *only = NULL;
    struct process_status launcher;
    for (size_t i = 0; i < jobs->count; i++) {
        /* Processes that a job has spawned belong to that job. */
        if (!may_be_meant(&jobs->items[i], with_runtime) ||
            (only != NULL && jobs->items[i].is_spawned && jobs->items[i].launcher_pid == only->launcher_pid))
            continue;
        if (only != NULL) {
            *ret_status = refuse_several(dll, jobs, with_runtime, ret_reason);
            return NULL;
        }
        only = &jobs->items[i];
    }
    *ret_status = only != NULL ? EXIT_GOOD : EXIT_UNREADABLE;
    if (only == NULL && jobs->count > 0)
        reason_set(ret_reason,
                   "the MPI job of process %ld runs without the mpilens runtime: 'mpilens why' and 'mpilens show' read "
                   "its call stacks; for everything else, start it with 'mpiexec -n 4 mpilens run ./app'",
                   (long)found_job_pid(&jobs->items[0]));
    else if (only == NULL && jobs->launcher != 0 && read_process_status("/proc", jobs->launcher, &launcher))
        launcher_reason_of(jobs->launcher, launcher.name, ret_reason);
    else if (only == NULL)
        reason_set(ret_reason, "there is no MPI job of this user on this host: start one with "
                               "'mpiexec -n 4 mpilens run ./app'");
    return only;
}

/* The PID that stands for a job that has ended. */
static pid_t first_pid(const struct job *job)
{
    const struct process *first = NULL;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].pid > 0 && (first == NULL || job->processes[i].rank < first->rank))
            first = &job->processes[i];
    return first != NULL ? first->pid : 0;
}

/* Unlike processes, files say so when the job has ended. */
static void note_owner(const char *box, struct job *job)
{
    struct stat information;
    if (job->user == NULL && lstat(box, &information) == 0)
        job->user = name_user(information.st_uid);
}

enum exit_status read_boxes(const struct dll *dll, const struct job_request *request, const struct box_targets *boxes,
                            struct job *ret_job, struct reason *ret_reason)
{
    struct job_request expanded = *request;
    expanded.targets = boxes->targets;
    expanded.target_count = boxes->count;
    const enum exit_status status = read_named(dll, &expanded, ret_job, ret_reason);
    if (status == EXIT_GOOD) {
        job_find_crash_cores(ret_job, boxes->started);
        job_note_absent(ret_job, "no black box is here: it has ended well, or ran on a host that --hosts must name");
    }
    if (status == EXIT_GOOD && boxes->is_ended && first_pid(ret_job) > 0) {
        free(ret_job->id);
        ret_job->id = format_text("%ld", (long)first_pid(ret_job));
        ret_job->started = boxes->started;
        note_owner(boxes->targets[0], ret_job);
    }
    return status;
}

void job_note_end(struct job *job, const struct ended_choice *choice)
{
    const bool is_named = choice->pid != 0 || choice->identity != NULL;
    struct tm when;
    char text[64];
    const time_t started = (time_t)job->started;
    if (started == 0 || localtime_r(&started, &when) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &when) == 0)
        return;
    job_add_note(job, format_text("%s, started at %s",
                                  is_named ? "this job has ended"
                                           : "no MPI job runs on this host: this is the last one that has ended",
                                  text));
}

/* False: no black box is of such a job. */
static bool read_ended(const struct dll *dll, const struct job_request *request, const struct ended_choice *choice,
                       struct job *ret_job, enum exit_status *ret_status, struct reason *ret_reason)
{
    struct box_targets *boxes = NULL;
    if (!request->may_have_ended || ended_jobs_find(choice, &boxes) == 0)
        return false;
    *ret_status = read_boxes(dll, request, &boxes[0], ret_job, ret_reason);
    if (*ret_status == EXIT_GOOD)
        job_note_end(ret_job, choice);
    return true;
}

/* Jobs that were passed over for one with the runtime: they may be the ones that the user has in mind. */
static void note_unprepared(const struct found_jobs *jobs, struct job *job)
{
    const struct found_job *first = NULL;
    size_t more = 0;
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->items[i].has_runtime)
            continue;
        else if (first == NULL)
            first = &jobs->items[i];
        else
            more++;
    if (first == NULL)
        return;
    const char *others = more > 0 ? arena_text(" (and %zu more: mpilens list)", more) : "";
    job_add_note(job, format_text("a job without the runtime is here, too: mpilens why %ld%s",
                                  (long)found_job_pid(first), others));
}

static enum exit_status read_only_job(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                      struct reason *ret_reason)
{
    static const struct ended_choice any = {.most = 1};
    struct found_jobs jobs = find_jobs(dll, geteuid());
    if (jobs.count == 0 && geteuid() == 0)
        jobs = find_jobs(dll, ANY_USER);
    enum exit_status status;
    const struct found_job *only = NULL;
    if (jobs.count > 0 || jobs.launcher != 0 || !read_ended(dll, request, &any, ret_job, &status, ret_reason))
        only = only_job(dll, &jobs, request, &status, ret_reason);
    if (only != NULL)
        read_found_job(dll, only, request->stop, &request->plan, ret_job);
    if (only != NULL && only->has_runtime && request->stacks_suffice)
        note_unprepared(&jobs, ret_job);
    return status;
}

static size_t count_snapshots(const struct job_request *request)
{
    size_t count = 0;
    for (size_t i = 0; i < request->target_count; i++)
        count += snapshot_is(request->targets[i]);
    return count;
}

/* The name in sentences of targets that are no snapshots. The caller frees it. */
static char *name_others(const struct job_request *others)
{
    pid_t pid;
    if (others->target_count > 1)
        return copy_text("what was read here");
    return target_parse_pid(others->targets[0], &pid) ? format_text("process %ld", (long)pid)
                                                      : copy_text(others->targets[0]);
}

/* Adds the live processes and core files among the targets, as one part. */
static enum exit_status add_others(const struct dll *dll, const struct job_request *request, struct job *job,
                                   struct reason *ret_reason)
{
    struct job_request others = *request;
    struct job part;
    enum exit_status status = EXIT_GOOD;
    others.target_count = 0;
    others.targets = allocate(request->target_count * sizeof *others.targets);
    for (size_t i = 0; i < request->target_count; i++)
        if (!snapshot_is(request->targets[i]))
            others.targets[others.target_count++] = request->targets[i];
    if (others.target_count > 0)
        status = read_named_part(dll, &others, &part, ret_reason);
    if (others.target_count > 0 && status == EXIT_GOOD) {
        char *name = name_others(&others);
        job_move_pools(&part, job);
        status = job_add_part(job, &part, name, ret_reason) == 0 ? EXIT_GOOD : EXIT_USAGE;
        free(name);
    }
    free(others.targets);
    return status;
}

static enum exit_status add_snapshots(const struct dll *dll, const struct job_request *request, struct job *job,
                                      struct reason *ret_reason)
{
    for (size_t i = 0; i < request->target_count; i++) {
        const char *path = request->targets[i];
        struct job part;
        if (!snapshot_is(path))
            continue;
        if (snapshot_read_part(dll, path, job->part_count + 1, &request->plan, job, &part, ret_reason) != 0)
            return EXIT_UNREADABLE;
        if (job_add_part(job, &part, path, ret_reason) != 0)
            return EXIT_USAGE;
    }
    return EXIT_GOOD;
}

/* Several snapshots, perhaps with processes and core files, are parts of one job. */
static enum exit_status read_parts(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                   struct reason *ret_reason)
{
    struct job job = {.size = -1};
    enum exit_status status = add_others(dll, request, &job, ret_reason);
    if (status == EXIT_GOOD)
        status = add_snapshots(dll, request, &job, ret_reason);
    if (status != EXIT_GOOD) {
        job_clear(&job);
        return status;
    }
    job_settle_parts(&job, false);
    complete_parts(dll, &job, request->plan.depth);
    *ret_job = job;
    return EXIT_GOOD;
}

static enum exit_status read_identified(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                        struct reason *ret_reason)
{
    struct found_jobs jobs = find_jobs(dll, ANY_USER);
    const struct found_job *found;
    struct reason unread;
    const struct ended_choice ended = {.identity = request->identity, .most = 1};
    const bool is_here = find_job_with_identity(dll, &jobs, request->identity, &found, &unread);
    enum exit_status status = is_here ? EXIT_GOOD : EXIT_UNREADABLE;
    if (is_here)
        read_found_job(dll, found, request->stop, &request->plan, ret_job);
    else if (!read_ended(dll, request, &ended, ret_job, &status, ret_reason))
        reason_set(ret_reason, "no rank of the job '%s' was found on this host%s%s", request->identity,
                   unread.text[0] != '\0' ? ": " : "", unread.text);
    return status;
}

static enum exit_status read_lines(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                   struct reason *ret_reason)
{
    if (request->target_count == 1)
        return read_part_lines(dll, request->targets[0], &request->plan, ret_job, ret_reason);
    reason_set(ret_reason, "lines of 'mpilens part' are a whole job: name their file alone");
    return EXIT_USAGE;
}

static bool has_lines(const struct job_request *request)
{
    for (size_t i = 0; i < request->target_count; i++)
        if (has_part_lines(request->targets[i]))
            return true;
    return false;
}

static bool has_core(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].core != NULL)
            return true;
    return false;
}

/* The processes and core files that the user has named; of the others the reader is told. One process stands for its
 * job. */
static enum exit_status read_chosen(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                    struct reason *ret_reason)
{
    const enum exit_status status = read_named(dll, request, ret_job, ret_reason);
    if (status == EXIT_GOOD && has_core(ret_job))
        job_note_absent(ret_job, "in none of the files that were named");
    else if (status == EXIT_GOOD && request->target_count > 1 && ret_job->absent_reason == NULL)
        job_note_absent(ret_job, "not among the processes that were named");
    return status;
}

static enum exit_status read_any(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                 struct reason *ret_reason)
{
    const size_t snapshots = count_snapshots(request);
    if (request->identity != NULL)
        return read_identified(dll, request, ret_job, ret_reason);
    if (has_lines(request))
        return read_lines(dll, request, ret_job, ret_reason);
    if (snapshots > 0 && request->target_count > 1)
        return read_parts(dll, request, ret_job, ret_reason);
    if (snapshots > 0)
        return snapshot_read(dll, request->targets[0], &request->plan, ret_job, ret_reason) == 0 ? EXIT_GOOD
                                                                                                 : EXIT_UNREADABLE;
    return request->target_count > 0 ? read_chosen(dll, request, ret_job, ret_reason)
                                     : read_only_job(dll, request, ret_job, ret_reason);
}

/* A word among several targets that is none is a mistake in the command line, no part that could not be read. */
static int check_targets(const struct job_request *request, struct reason *ret_reason)
{
    pid_t pid;
    for (size_t i = 0; request->target_count > 1 && i < request->target_count; i++)
        if (!target_parse_pid(request->targets[i], &pid) && access(request->targets[i], F_OK) != 0) {
            reason_set(ret_reason, "'%s' is neither a process nor a file (%s): name processes, core files or snapshots",
                       request->targets[i], strerror(errno));
            return -1;
        }
    return 0;
}

/* The PID of a process that is gone stands for its black box. False: it is not gone, or has none. */
static bool read_gone(const struct dll *dll, const struct job_request *request, pid_t pid, struct job *ret_job,
                      enum exit_status *ret_status, struct reason *ret_reason)
{
    const struct ended_choice choice = {.most = 1, .pid = pid};
    return pid > 0 && process_is_ending("/proc", pid) &&
           read_ended(dll, request, &choice, ret_job, ret_status, ret_reason);
}

static bool has_lost(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason != NULL && job->processes[i].pid > 0 &&
            process_is_ending("/proc", job->processes[i].pid))
            return true;
    return false;
}

/* Reads the black boxes of processes that went away before they were read. */
static enum exit_status read_box_directory(const struct dll *dll, const struct job_request *request,
                                           struct job *ret_job, struct reason *ret_reason)
{
    enum { MOST_ATTEMPTS = 2 };
    enum exit_status status = EXIT_UNREADABLE;
    struct job job = {0};
    for (int i = 0; i < MOST_ATTEMPTS && (i == 0 || (status == EXIT_GOOD && has_lost(&job))); i++) {
        struct box_targets boxes = {.count = 0};
        job_clear(&job);
        job = (struct job){0};
        status = box_directory_read(request->targets[0], &boxes, ret_reason) == 0
                     ? read_boxes(dll, request, &boxes, &job, ret_reason)
                     : EXIT_UNREADABLE;
    }
    if (status == EXIT_GOOD)
        *ret_job = job;
    return status;
}

static enum exit_status read_file_directory(const struct dll *dll, const struct job_request *request,
                                            const struct box_targets *files, struct job *ret_job,
                                            struct reason *ret_reason)
{
    struct job_request expanded = *request;
    expanded.targets = files->targets;
    expanded.target_count = files->count;
    return read_any(dll, &expanded, ret_job, ret_reason);
}

/* A directory stands for what is in it. */
static enum exit_status read_expanded(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                      struct reason *ret_reason)
{
    enum exit_status status;
    pid_t pid;
    if (request->target_count == 1 && request->identity == NULL && target_parse_pid(request->targets[0], &pid) &&
        read_gone(dll, request, pid, ret_job, &status, ret_reason))
        return status;
    if (request->target_count != 1 || request->identity != NULL)
        return read_any(dll, request, ret_job, ret_reason);
    if (!box_directory_is(request->targets[0]))
        return read_any(dll, request, ret_job, ret_reason);
    struct reason no_boxes = {.text = ""};
    struct box_targets files = {.count = 0};
    status = read_box_directory(dll, request, ret_job, &no_boxes);
    if (status != EXIT_GOOD && !file_directory_read(request->targets[0], &files))
        *ret_reason = no_boxes;
    if (status == EXIT_GOOD || files.count == 0)
        return status;
    status = read_file_directory(dll, request, &files, ret_job, ret_reason);
    return status;
}

static bool has_readable(const struct job *job, const struct job_request *request)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason == NULL || (request->stacks_suffice && job->processes[i].lacks_tables))
            return true;
    return false;
}

enum exit_status read_job(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                          struct reason *ret_reason)
{
    struct job job = {0}, gone = {0};
    if (check_targets(request, ret_reason) != 0)
        return EXIT_USAGE;
    enum exit_status status = read_expanded(dll, request, &job, ret_reason);
    if (status == EXIT_GOOD && request->target_count <= 1 && request->identity == NULL &&
        !has_readable(&job, request) &&
        read_gone(dll, request, first_pid(&job), &gone, &status, ret_reason)) { /* it went away just now */
        job_clear(&job);
        job = gone;
    }
    if (status != EXIT_GOOD)
        return status;
    if (has_readable(&job, request)) {
        job_note_crashes(&job);
        *ret_job = job;
        return EXIT_GOOD;
    }
    const struct process *process = job.processes;
    if (process != NULL && process->is_before_mpi) /* perhaps as its runtime sees it only */
        job_find_seen_threads(&job);
    if (process != NULL && process->rank >= 0)
        reason_set(ret_reason, "rank %d: %s", process->rank, process->reason);
    else if (process != NULL)
        reason_set(ret_reason, "%s", process->reason);
    else
        reason_set(ret_reason, "%s: there is no process in it",
                   request->target_count == 1 ? request->targets[0] : "the job");
    job_clear(&job);
    return EXIT_UNREADABLE;
}
