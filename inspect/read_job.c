/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From what the user named to the model of a job.
 */
#include "read_job.h"

#include "allocation.h"
#include "freeze.h"
#include "process_files.h"
#include "target.h"
#include "unexpected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct process *add_process(struct job *job, int rank)
{
    job->processes = array_append(job->processes, &job->process_count, sizeof *job->processes);
    struct process *process = &job->processes[job->process_count - 1];
    process->rank = rank;
    process->size = -1;
    process->thread_level = -1;
    process->library_version = "";
    process->runtime_version = "";
    return process;
}

static void set_unread(struct process *process, const struct reason *reason)
{
    if (process->reason == NULL)
        process->reason = copy_text(reason->text);
}

static void add_live_process(struct job *job, pid_t pid, int rank)
{
    struct process *process = add_process(job, rank);
    char host[256] = "";
    process->pid = pid;
    if (gethostname(host, sizeof host - 1) == 0)
        process->host = copy_text(host);
    process->executable = read_process_link("/proc", pid, "exe");
    struct reason reason;
    if (target_open_process(pid, &process->target, &reason) != 0)
        set_unread(process, &reason);
}

static void add_core(struct job *job, const char *path)
{
    struct process *process = add_process(job, -1);
    process->core = copy_text(path);
    struct reason reason;
    if (target_open_core(path, &process->target, &reason) != 0) {
        set_unread(process, &reason);
        return;
    }
    process->pid = target_pid(process->target);
    if (target_executable(process->target) != NULL)
        process->executable = copy_text(target_executable(process->target));
}

/* Reads all processes of the job; frozen together, so that they are seen at the same moment. */
static void read_processes(const struct dll *dll, struct job *job, bool stop, enum collect_depth depth)
{
    struct reason reason;
    struct freeze *freezes = stop ? allocate(job->process_count * sizeof *freezes) : NULL;
    for (size_t i = 0; stop && i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        if (process->target != NULL && process->core == NULL && freeze_process(process->pid, &freezes[i], &reason) != 0)
            set_unread(process, &reason);
    }
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        const int rank = process->rank;
        if (process->reason != NULL || process->target == NULL)
            continue;
        if (collect_process(dll, process->target, depth, &job->names, process, &reason) != 0)
            set_unread(process, &reason);
        if (process->rank < 0)
            process->rank = rank;
    }
    for (size_t i = 0; stop && i < job->process_count; i++)
        freeze_release(&freezes[i]);
    free(freezes);
}

static void complete_job(struct job *job, enum collect_depth depth)
{
    job_sort_processes(job);
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->size > job->size)
            job->size = process->size;
        if (job->mpi == NULL)
            job->mpi = short_library_version(process->library_version);
    }
    if (depth == COLLECT_ALL) {
        infer_unexpected(job);
        job_resolve_sites(job);
    }
}

/* Whether everything that this launcher starts runs on this host. */
static bool starts_only_here(pid_t launcher, const char *name)
{
    if (strncmp(name, "mpiexec", 7) != 0 && strncmp(name, "mpirun", 6) != 0)
        return false; /* a daemon for this host, or a scheduler's */
    char file[64];
    snprintf(file, sizeof file, "task/%ld/children", (long)launcher);
    size_t bytes;
    char *children = read_process_file("/proc", launcher, file, &bytes);
    bool here = children != NULL;
    char *next = children;
    while (here) {
        char *end;
        struct process_status status;
        const long child = strtol(next, &end, 10);
        if (end == next)
            break;
        next = end;
        here = !read_process_status("/proc", (pid_t)child, &status) || strncmp(status.name, "ssh", 3) != 0;
        here = here && strcmp(status.name, "rsh") != 0 && strcmp(status.name, "srun") != 0;
    }
    free(children);
    return here;
}

static void add_missing_ranks(const struct found_job *found, struct job *job)
{
    const size_t known = job->process_count;
    const bool here =
        found->launcher_pid != 0 && found->launcher != NULL && starts_only_here(found->launcher_pid, found->launcher);
    bool *present = allocate((size_t)(job->size > 0 ? job->size : 0) * sizeof *present);
    for (size_t i = 0; i < known; i++)
        if (job->processes[i].rank >= 0 && job->processes[i].rank < job->size)
            present[job->processes[i].rank] = true;
    for (int rank = 0; rank < job->size; rank++) {
        if (present[rank])
            continue;
        struct process *process = add_process(job, rank);
        process->state = here ? PROCESS_EXITED : PROCESS_UNREADABLE;
        process->reason = copy_text(here ? "its process has exited" : "it does not run on this host");
    }
    free(present);
    job_sort_processes(job);
}

void read_found_job(const struct dll *dll, const struct found_job *found, bool stop, enum collect_depth depth,
                    struct job *ret_job)
{
    *ret_job = (struct job){.size = found->size, .launcher_pid = found->launcher_pid};
    if (found->launcher != NULL)
        ret_job->launcher = copy_text(found->launcher);
    ret_job->id = format_text("%ld", (long)(found->launcher_pid != 0 ? found->launcher_pid : found->ranks[0].pid));
    for (size_t i = 0; i < found->rank_count; i++)
        add_live_process(ret_job, found->ranks[i].pid, found->ranks[i].rank);
    read_processes(dll, ret_job, stop, depth);
    complete_job(ret_job, depth);
    add_missing_ranks(found, ret_job);
}

static enum exit_status list_jobs(const struct found_jobs *jobs, struct reason *ret_reason)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    for (size_t i = 0; stream != NULL && i < jobs->count; i++) {
        const struct found_job *job = &jobs->items[i];
        if (!job->has_runtime)
            continue;
        const pid_t pid = job->launcher_pid != 0 ? job->launcher_pid : job->ranks[0].pid;
        fprintf(stream, "\n  %ld  %s, %zu ranks here, %s", (long)pid,
                job->launcher != NULL ? job->launcher : "no launcher", job->rank_count,
                job->ranks[0].executable != NULL ? job->ranks[0].executable : "?");
    }
    if (stream != NULL)
        fclose(stream);
    reason_set(ret_reason, "there are several jobs on this host, name one of them by its pid:%s",
               text != NULL ? text : "");
    free(text);
    return EXIT_USAGE;
}

static const struct found_job *only_job(const struct found_jobs *jobs, enum exit_status *ret_status,
                                        struct reason *ret_reason)
{
    const struct found_job *only = NULL;
    for (size_t i = 0; i < jobs->count; i++) {
        if (!jobs->items[i].has_runtime)
            continue;
        if (only != NULL) {
            *ret_status = list_jobs(jobs, ret_reason);
            return NULL;
        }
        only = &jobs->items[i];
    }
    *ret_status = only != NULL ? EXIT_GOOD : EXIT_UNREADABLE;
    if (only == NULL && jobs->count > 0)
        reason_set(
            ret_reason,
            "the MPI job of process %ld runs without the mpilens runtime: start it with "
            "'mpiexec -n 4 mpilens run ./app'",
            (long)(jobs->items[0].launcher_pid != 0 ? jobs->items[0].launcher_pid : jobs->items[0].ranks[0].pid));
    else if (only == NULL)
        reason_set(ret_reason, "there is no MPI job of this user on this host: start one with "
                               "'mpiexec -n 4 mpilens run ./app'");
    return only;
}

static enum exit_status read_only_job(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                      struct reason *ret_reason)
{
    struct found_jobs jobs = discover_jobs("/proc", geteuid());
    if (jobs.count == 0 && geteuid() == 0)
        jobs = discover_jobs("/proc", ANY_USER);
    enum exit_status status;
    const struct found_job *only = only_job(&jobs, &status, ret_reason);
    if (only != NULL)
        read_found_job(dll, only, request->stop, request->depth, ret_job);
    found_jobs_clear(&jobs);
    return status;
}

static bool parse_pid(const char *target, pid_t *ret_pid)
{
    char *end;
    const long pid = strtol(target, &end, 10);
    if (end == target || *end != '\0' || pid <= 0 || pid != (pid_t)pid)
        return false;
    *ret_pid = (pid_t)pid;
    return true;
}

/* A process that belongs to no job: a launcher whose ranks cannot be seen, or no MPI process at all. Reading it finds
 * the reason, but for launchers. */
static int check_lone_process(pid_t pid, struct reason *ret_reason)
{
    struct process_status status;
    if (!read_process_status("/proc", pid, &status))
        return reason_set(ret_reason, "there is no process %ld on this host", (long)pid);
    if (geteuid() != 0 && status.user != geteuid())
        return reason_set(ret_reason,
                          "process %ld belongs to another user (uid %lu): run mpilens as its owner or as root",
                          (long)pid, (unsigned long)status.user);
    if (strncmp(status.name, "mpiexec", 7) == 0 || strncmp(status.name, "mpirun", 6) == 0)
        return reason_set(ret_reason,
                          "process %ld (%s) has no MPI process on this host that can be read: start the job with "
                          "'%s -n 4 mpilens run ./app'",
                          (long)pid, status.name, status.name);
    return 0;
}

static enum exit_status read_named(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                   struct reason *ret_reason)
{
    struct found_jobs jobs = discover_jobs("/proc", ANY_USER);
    const struct found_job *job = NULL;
    struct job named = {.size = -1};
    enum exit_status status = EXIT_GOOD;
    for (size_t i = 0; i < request->target_count && status == EXIT_GOOD; i++) {
        const char *target = request->targets[i];
        pid_t pid;
        if (!parse_pid(target, &pid)) {
            add_core(&named, target);
            continue;
        }
        const struct found_job *found = find_job_of(&jobs, "/proc", pid);
        if (found != NULL && found->launcher_pid != 0) {
            if (job != NULL && job != found) {
                reason_set(ret_reason, "process %ld belongs to another job than the processes before it", (long)pid);
                status = EXIT_USAGE;
            }
            job = found;
        } else if (check_lone_process(pid, ret_reason) != 0) {
            status = EXIT_UNREADABLE;
        } else {
            add_live_process(&named, found != NULL ? found->ranks[0].pid : pid,
                             found != NULL ? found->ranks[0].rank : -1);
        }
    }
    if (status == EXIT_GOOD && job != NULL && named.process_count > 0) {
        reason_set(ret_reason, "%s is not of the job of process %ld: name one job, or core files", request->targets[0],
                   (long)job->launcher_pid);
        status = EXIT_USAGE;
    }
    if (status == EXIT_GOOD && job != NULL) {
        read_found_job(dll, job, request->stop, request->depth, ret_job);
    } else if (status == EXIT_GOOD) {
        named.id = copy_text(request->targets[0]);
        read_processes(dll, &named, request->stop, request->depth);
        complete_job(&named, request->depth);
        *ret_job = named;
    } else {
        job_clear(&named);
    }
    found_jobs_clear(&jobs);
    return status;
}

enum exit_status read_job(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                          struct reason *ret_reason)
{
    struct job job = {0};
    const enum exit_status status = request->target_count > 0 ? read_named(dll, request, &job, ret_reason)
                                                              : read_only_job(dll, request, &job, ret_reason);
    if (status != EXIT_GOOD)
        return status;
    for (size_t i = 0; i < job.process_count; i++)
        if (job.processes[i].reason == NULL) {
            *ret_job = job;
            return EXIT_GOOD;
        }
    const struct process *process = &job.processes[0];
    if (process->rank >= 0)
        reason_set(ret_reason, "rank %d: %s", process->rank, process->reason);
    else
        reason_set(ret_reason, "%s", process->reason);
    job_clear(&job);
    return EXIT_UNREADABLE;
}
