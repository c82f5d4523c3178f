/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the processes and core files that the user named.
 */
#include "job/job_internal.h"

#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"

#include <stdlib.h>
#include <unistd.h>

/* A process that belongs to no job: a launcher whose ranks cannot be seen, or no MPI process at all. Reading it finds
 * the reason, but for launchers. */
static int check_lone_process(pid_t pid, struct reason *ret_reason)
{
    struct process_status status;
    if (!read_process_status("/proc", pid, &status))
        return reason_set(ret_reason, "there is no such process on this host: %ld", (long)pid);
    if (geteuid() != 0 && status.user != geteuid()) {
        char *user = name_user(status.user);
        reason_set(ret_reason, "process %ld (%s) belongs to user %s: run mpilens as that user or as root", (long)pid,
                   status.name, user);
        free(user);
        return -1;
    }
    return is_launcher(status.name) ? launcher_reason_of(pid, status.name, ret_reason) : 0;
}

static void add_lone_process(struct job *job, pid_t pid)
{
    struct reason reason;
    if (check_lone_process(pid, &reason) == 0) {
        add_live_process(job, pid, -1);
    } else {
        struct process *process = add_process(job, -1);
        process->pid = pid;
        set_unread(process, &reason);
    }
    job->processes[job->process_count - 1].is_named = true;
}

static const struct found_rank *find_rank_of(const struct found_job *job, pid_t pid)
{
    for (size_t i = 0; job != NULL && i < job->rank_count; i++)
        if (job->ranks[i].pid == pid)
            return &job->ranks[i];
    return NULL;
}

/* Adds a pid of `found`: a rank, or the launcher for all its ranks. `before`: the job of the targets before it, NULL:
 * they are of none that was found. */
static int add_of_job(struct job *job, const struct found_job *before, const struct found_job *found, pid_t pid,
                      struct reason *ret_reason)
{
    if (before != NULL && before->launcher_pid != found->launcher_pid)
        return reason_set(ret_reason, "process %ld does not belong to the job of the targets before it", (long)pid);
    if (before == NULL && found->launcher_pid != 0) {
        job->launcher_pid = found->launcher_pid;
        job->launcher = copy_text(found->launcher != NULL ? found->launcher : "launcher");
        job->size = found->size;
    }
    const struct found_rank *rank = find_rank_of(found, pid);
    for (size_t i = 0; i < found->rank_count; i++) {
        if (rank != NULL && rank != &found->ranks[i])
            continue;
        add_live_process(job, found->ranks[i].pid, found->ranks[i].rank);
        job->processes[job->process_count - 1].is_named = rank != NULL;
    }
    return 0;
}

/* `of`: the job of the targets so far, as of add_of_job. */
static int add_target(struct job *job, const struct found_jobs *jobs, const char *target, const struct found_job **of,
                      struct reason *ret_reason)
{
    pid_t pid;
    if (!target_parse_pid(target, &pid)) {
        add_core(job, target);
        job->processes[job->process_count - 1].is_named = true;
        return 0;
    }
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].pid == pid && job->processes[i].core == NULL)
            return 0; /* named twice */
    const struct found_job *found = find_job_of(jobs, pid);
    if (found == NULL) {
        add_lone_process(job, pid);
        return 0;
    }
    const struct found_job *before = *of;
    *of = before != NULL ? before : found;
    return add_of_job(job, before, found, pid, ret_reason);
}

static char *describe_process(const struct process *process)
{
    return process->core != NULL ? copy_text(process->core) : format_text("process %ld", (long)process->pid);
}

static enum exit_status check_strangers(const struct job *job, struct reason *ret_reason)
{
    const struct process *one, *other;
    if (!find_strangers(job, &one, &other))
        return EXIT_GOOD;
    char *first = describe_process(one);
    char *second = describe_process(other);
    reason_set(ret_reason, "%s is of the job '%s', but %s is of the job '%s': name ranks of one job", first,
               one->job_identity, second, other->job_identity);
    free(first);
    free(second);
    return EXIT_USAGE;
}

static int add_targets(struct job *job, const struct found_jobs *jobs, const struct job_request *request,
                       struct reason *ret_reason)
{
    const struct found_job *of = NULL;
    for (size_t i = 0; i < request->target_count; i++)
        if (add_target(job, jobs, request->targets[i], &of, ret_reason) != 0)
            return -1;
    return 0;
}

/* While a job ends, its processes may seem to belong to different launchers: then they are looked for once more. */
static enum exit_status find_targets(const struct dll *dll, const struct job_request *request, struct found_jobs *jobs,
                                     struct job *ret_job, struct reason *ret_reason)
{
    struct job job = {.size = -1};
    if (add_targets(&job, jobs, request, ret_reason) != 0) {
        *jobs = find_jobs(dll, ANY_USER);
        job_clear(&job);
        job = (struct job){.size = -1};
        if (add_targets(&job, jobs, request, ret_reason) != 0) {
            job_clear(&job);
            return EXIT_USAGE;
        }
    }
    *ret_job = job;
    return EXIT_GOOD;
}

/* The process is neither a rank nor the launcher, but above them. */
static void note_ancestor(struct job *job, const struct found_job *found, pid_t pid)
{
    struct process_status status;
    if (pid == found->launcher_pid || find_rank_of(found, pid) != NULL || !read_process_status("/proc", pid, &status) ||
        is_launcher(status.name))
        return;
    job_add_note(job,
                 format_text("process %ld (%s) is an ancestor of this job, which is %s %ld", (long)pid, status.name,
                             job->launcher != NULL ? job->launcher : "rank", (long)found_job_pid(found)));
}

static bool has_target(const struct job_request *request, pid_t pid)
{
    pid_t named;
    for (size_t i = 0; i < request->target_count; i++)
        if (target_parse_pid(request->targets[i], &named) && named == pid)
            return true;
    return false;
}

/* The job that is meant as a whole: by one process, its launcher, or all ranks that it still has. NULL: none is. */
static const struct found_job *find_whole_job(const struct found_jobs *jobs, const struct job_request *request)
{
    pid_t pid;
    const struct found_job *whole = target_parse_pid(request->targets[0], &pid) ? find_job_of(jobs, pid) : NULL;
    bool is_whole = request->target_count == 1;
    for (size_t i = 0; whole != NULL && i < request->target_count; i++) {
        if (!target_parse_pid(request->targets[i], &pid) || find_job_of(jobs, pid) != whole)
            return NULL;
        is_whole = is_whole || find_rank_of(whole, pid) == NULL;
    }
    for (size_t i = 0; whole != NULL && !is_whole && i < whole->rank_count; i++)
        if (!has_target(request, whole->ranks[i].pid))
            return NULL;
    return whole;
}

static void read_whole_job(const struct dll *dll, const struct job_request *request, const struct found_job *whole,
                           struct job *ret_job)
{
    pid_t pid;
    gather_found_job(dll, whole, request->stop, &request->plan, ret_job);
    if (request->target_count > 1)
        for (size_t i = 0; i < ret_job->process_count; i++)
            ret_job->processes[i].is_named = has_target(request, ret_job->processes[i].pid);
    else if (target_parse_pid(request->targets[0], &pid))
        note_ancestor(ret_job, whole, pid);
}

enum exit_status read_named_part(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                 struct reason *ret_reason)
{
    struct found_jobs jobs = find_jobs(dll, ANY_USER);
    struct job named = {.size = -1};
    enum exit_status status = EXIT_GOOD;
    const struct found_job *whole = find_whole_job(&jobs, request);
    if (whole != NULL) {
        read_whole_job(dll, request, whole, &named);
    } else {
        status = find_targets(dll, request, &jobs, &named, ret_reason);
        if (status == EXIT_GOOD) {
            named.id =
                named.launcher_pid != 0 ? format_text("%ld", (long)named.launcher_pid) : copy_text(request->targets[0]);
            job_note_origin(&named);
            read_processes(dll, &named, request->stop, &request->plan);
            settle_processes(&named);
            status = check_strangers(&named, ret_reason);
        }
    }
    if (status == EXIT_GOOD)
        *ret_job = named;
    else
        job_clear(&named);
    return status;
}

enum exit_status read_named(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                            struct reason *ret_reason)
{
    const enum exit_status status = read_named_part(dll, request, ret_job, ret_reason);
    if (status == EXIT_GOOD)
        complete_job(dll, ret_job, request->plan.depth);
    return status;
}
