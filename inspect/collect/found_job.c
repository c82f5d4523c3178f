/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job that was found: its processes, what its exited ranks have left, and the ranks that are missing.
 */
#include "collect/collect_internal.h"

#include "base/base.h"
#include "discover/discover.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Before the first rank has left MPI_Init, a rank without a process may not have been started yet. */
static bool all_were_started(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const enum process_state state = job->processes[i].state;
        if (state == PROCESS_RUNNING || state == PROCESS_FINALIZING || state == PROCESS_FINALIZED)
            return true;
    }
    return false;
}

/* Describes a process that has ended: "its process 4711 has exited with status 3". The caller frees it. */
static char *describe_ended(pid_t pid)
{
    const int status = process_wait_status("/proc", pid);
    if (status < 0)
        return format_text("its process %ld has exited", (long)pid);
    if (WIFSIGNALED(status)) {
        char *signal = describe_signal(WTERMSIG(status));
        char *text = format_text("its process %ld was ended by %s", (long)pid, signal);
        free(signal);
        return text;
    }
    return format_text("its process %ld has exited with status %d", (long)pid, WEXITSTATUS(status));
}

/* The launcher's facts about a rank that was not found here. Omits its pid if that means nothing here. */
static void set_launched(struct process *process, const struct launched_process *launched)
{
    struct process_status status;
    process->executable = copy_text(launched->executable);
    process->host = copy_text(launched->host);
    process->state = PROCESS_UNREADABLE;
    if (!is_this_host(launched->host)) {
        process->reason = format_text("it runs on host %s (process %ld), which cannot be read from here",
                                      launched->host, (long)launched->pid);
        return;
    }
    process->pid = launched->pid;
    if (!process_is_ending("/proc", launched->pid) && read_process_status("/proc", launched->pid, &status)) {
        process->is_before_mpi = true;
        process->age_s = process_age_s(launched->pid);
        process->reason = format_text("process %ld (%s) has no MPI in it", (long)launched->pid, status.name);
        return;
    }
    process->state = PROCESS_EXITED;
    process->reason = describe_ended(launched->pid);
}

/* More ranks that are not here than this do not get a process each, unless the launcher tells them apart: any process
 * may say that its world has many. */
enum { MOST_ABSENT_PROCESSES = 1024 };

static struct rank_set list_absent(const struct job *job)
{
    struct rank_set absent = {.count = 0};
    bool *present = allocate((size_t)(job->size > 0 ? job->size : 0) * sizeof *present);
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].rank >= 0 && job->processes[i].rank < job->size)
            present[job->processes[i].rank] = true;
    for (int rank = 0; rank < job->size; rank++)
        if (!present[rank])
            rank_set_append(&absent, rank);
    free(present);
    return absent;
}

void job_note_absent(struct job *job, const char *reason)
{
    rank_set_clear(&job->absent);
    free(job->absent_reason);
    job->absent = list_absent(job);
    job->absent_reason = job->absent.count > 0 ? copy_text(reason) : NULL;
}

/* The facts about the ranks that were not found. */
struct absence {
    const struct found_job *found;
    struct launcher_table table; /* without items: not known */
    bool here;                   /* they would be on this host */
    bool all_have_started;
    size_t count;
};

/* Launchers start their ranks by number: one below others that are here was started, and what is left of it would be
 * seen. */
static bool has_exited(const struct job *job, const struct absence *absence, int rank)
{
    if (!absence->here || absence->all_have_started)
        return absence->here;
    bool has_higher = false;
    for (size_t i = 0; i < absence->found->rank_count; i++)
        has_higher = has_higher || absence->found->ranks[i].rank > rank;
    return has_higher && !absence->found->has_others && job->size == absence->found->size;
}

/* A rank whose process is no MPI process so far. False: it is not known to have one. */
static bool set_without_mpi(const struct found_job *found, struct process *process)
{
    for (size_t i = 0; i < found->without_mpi_count; i++) {
        const pid_t pid = found->without_mpi[i].pid;
        struct process_status status;
        char host[256] = "";
        if (found->without_mpi[i].rank != process->rank || !read_process_status("/proc", pid, &status))
            continue;
        process->pid = pid;
        process->executable = read_process_link("/proc", pid, "exe");
        if (gethostname(host, sizeof host - 1) == 0)
            process->host = copy_text(host);
        process->state = PROCESS_UNREADABLE;
        process->is_before_mpi = true;
        process->age_s = process_age_s(pid);
        process->reason = format_text("process %ld (%s) has no MPI in it so far", (long)pid, status.name);
        return true;
    }
    return false;
}

static const char *describe_absence(const struct absence *absence, bool exited)
{
    return exited                              ? "its process has exited"
           : absence->here                     ? "its process has not been started yet, or has exited"
           : absence->found->launcher_pid == 0 ? "its process has exited, or runs on another host"
                                               : "it does not run on this host";
}

/* `number`: of the ranks that were not found. */
static void add_absent_rank(struct job *job, int rank, size_t number, const struct absence *absence)
{
    const struct found_job *found = absence->found;
    struct process *process = add_process(job, rank);
    if (set_without_mpi(found, process))
        return;
    if (absence->table.items != NULL) {
        set_launched(process, &absence->table.items[rank]);
        return;
    }
    const bool is_ended = absence->here && absence->count - found->without_mpi_count == found->ended_count;
    const bool exited = is_ended || has_exited(job, absence, rank);
    process->state = exited ? PROCESS_EXITED : PROCESS_UNREADABLE;
    process->reason = is_ended ? describe_ended(found->ended[number]) : copy_text(describe_absence(absence, exited));
}

void add_missing_ranks(const struct found_job *found, struct job *job)
{
    struct rank_set absent = list_absent(job);
    if (absent.count == 0)
        return;
    struct absence absence = {
        .found = found,
        .here = found->launcher_pid != 0 && found->launcher != NULL &&
                starts_only_here(found->launcher_pid, found->launcher),
        .all_have_started = all_were_started(job),
        .count = rank_set_size(&absent),
    };
    if (found->launcher_pid != 0 && !found->is_spawned && launcher_table_of(found->launcher_pid, &absence.table) &&
        absence.table.count != (size_t)job->size)
        absence.table = (struct launcher_table){.count = 0};
    if (absence.table.items == NULL && absence.count > MOST_ABSENT_PROCESSES) {
        job->absent = absent;
        job->absent_reason = copy_text(describe_absence(&absence, absence.here && absence.all_have_started));
        return;
    }
    size_t ended = 0;
    for (size_t i = 0; i < absent.count; i++)
        for (int rank = absent.ranges[i].first; rank <= absent.ranges[i].last; rank++) {
            add_absent_rank(job, rank, ended, &absence);
            ended += !job->processes[job->process_count - 1].is_before_mpi;
        }
    rank_set_clear(&absent);
    job_sort_processes(job);
}

void gather_found_job(const struct dll *dll, const struct found_job *found, bool stop, const struct collect_plan *plan,
                      struct job *ret_job)
{
    *ret_job = (struct job){.size = found->size, .launcher_pid = found->launcher_pid};
    if (found->launcher != NULL)
        ret_job->launcher = copy_text(found->launcher);
    ret_job->id = format_text("%ld", (long)found_job_pid(found));
    for (size_t i = 0; i < found->rank_count; i++) {
        progress_note("reading %zu of %zu ranks", i + 1, found->rank_count);
        add_live_process(ret_job, found->ranks[i].pid, found->ranks[i].rank);
        if (process_is_read_once(plan) && !stop) /* one after the other: each that is open takes memory */
            read_process(dll, ret_job, &ret_job->processes[i], plan);
    }
    job_note_origin(ret_job);
    read_processes(dll, ret_job, stop, plan);
    settle_processes(ret_job);
    add_exited_ranks(dll, found, plan, ret_job);
    ret_job->launch_problem = check_launcher_of(found, ret_job);
    if (ret_job->launch_problem == NULL)
        add_missing_ranks(found, ret_job);
    else
        ret_job->size = 1;
}

void read_found_job(const struct dll *dll, const struct found_job *found, bool stop, const struct collect_plan *plan,
                    struct job *ret_job)
{
    gather_found_job(dll, found, stop, plan, ret_job);
    complete_job(dll, ret_job, plan->depth);
}
