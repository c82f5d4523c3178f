/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes of a job: adding them to the model, and reading them.
 */

#include "base/base.h"
#include "collect/collect_internal.h"
#include "discover/discover.h"
#include "model/model.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct process *add_process(struct job *job, int rank)
{
    job->processes = array_append(job->processes, &job->process_count, sizeof *job->processes);
    struct process *process = &job->processes[job->process_count - 1];
    process->rank = rank;
    process->size = -1;
    process->thread_level = -1;
    process->lock_holder = -1;
    process->read_at_s = -1;
    process->age_s = -1;
    process->library_version = "";
    process->runtime_version = "";
    process->job_identity = "";
    process->place = "";
    process->stack = "";
    process->called = "";
    process->waits_for = "";
    process->locked_circle = "";
    process->end = "";
    return process;
}

void set_unread(struct process *process, const struct reason *reason)
{
    if (process->reason == NULL)
        process->reason = copy_text(reason->text);
}

void add_live_process(struct job *job, pid_t pid, int rank)
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

void add_core(struct job *job, const char *path)
{
    struct process *process = add_process(job, -1);
    process->core = copy_text(path);
    struct reason reason;
    if (target_open_core(path, &process->target, &reason) != 0) {
        set_unread(process, &reason);
        return;
    }
    process->pid = target_pid(process->target);
    if (target_box_host(process->target) != NULL)
        process->host = copy_text(target_box_host(process->target));
    if (target_executable(process->target) != NULL)
        process->executable = copy_text(target_executable(process->target));
}

/* All are asked to stop before one is waited for. */
static void freeze_processes(struct job *job, struct freeze *freezes)
{
    int (*const steps[])(pid_t, struct freeze *, struct reason *) = {freeze_begin, freeze_finish};
    struct reason reason;
    for (size_t step = 0; step < sizeof steps / sizeof *steps; step++)
        for (size_t i = 0; i < job->process_count; i++) {
            struct process *process = &job->processes[i];
            if (process->target != NULL && process->core == NULL && process->reason == NULL &&
                steps[step](process->pid, &freezes[i], &reason) != 0)
                set_unread(process, &reason);
        }
}

bool process_is_read_once(const struct collect_plan *plan)
{
    return plan->depth == COLLECT_PROCESS && plan->more == NULL;
}

void read_process(const struct dll *dll, struct job *job, struct process *process, const struct collect_plan *plan)
{
    struct reason reason;
    const int rank = process->rank;
    if (process->reason != NULL || process->target == NULL)
        return;
    if (collect_process(dll, process->target, plan, job, process, &reason) != 0)
        set_unread(process, &reason);
    if ((process->is_before_mpi || process->lacks_tables) && process->core == NULL)
        process->age_s = process_age_s(process->pid);
    if (process->rank < 0)
        process->rank = rank;
    if (process->lacks_tables) {
        process_find_numbers(process);
        process_find_job(job, process);
    }
    if (job->identity == NULL && process->job_identity[0] != '\0')
        job->identity = copy_text(process->job_identity);
    if (process_is_read_once(plan)) {
        target_close(process->target);
        process->target = NULL;
    }
}

/* Beside living ranks, one whose black box is all that is left has exited; of a job that has ended, all did at once.
 * One of another host may live there. */
static void note_exits(struct job *job)
{
    bool is_live = false;
    for (size_t i = 0; i < job->process_count; i++)
        is_live = is_live || (job->processes[i].reason == NULL && !job->processes[i].has_ended);
    for (size_t i = 0; i < job->process_count && is_live; i++)
        if (job->processes[i].has_ended && job->processes[i].state != PROCESS_FINALIZED &&
            target_box_is_from_here(job->processes[i].target))
            job->processes[i].state = PROCESS_EXITED;
}

void read_processes(const struct dll *dll, struct job *job, bool stop, const struct collect_plan *plan)
{
    struct freeze *freezes = stop ? allocate(job->process_count * sizeof *freezes) : NULL;
    if (stop)
        freeze_processes(job, freezes);
    struct tick_moment moment = tick_moment_now();
    struct collect_plan at_one_moment = *plan;
    at_one_moment.moment = &moment;
    const struct reason cut_short = {.text = "the reading was cut short by ^C"};
    for (size_t i = 0; i < job->process_count; i++) {
        progress_note("reading %zu of %zu ranks", i + 1, job->process_count);
        if (cut_short_is_asked())
            set_unread(&job->processes[i], &cut_short);
        read_process(dll, job, &job->processes[i], &at_one_moment);
    }
    for (size_t i = 0; stop && i < job->process_count; i++)
        freeze_release(&freezes[i]);
    free(freezes);
    note_exits(job);
}

static void forget_wrong_group(const struct group **group, int32_t size)
{
    if (*group != NULL && (*group)->size != size)
        *group = NULL;
}

/* A communicator whose size differs from its group's has no known members. */
static void check_groups(struct process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        struct communicator *communicator = &process->communicators[i];
        forget_wrong_group(&communicator->group, communicator->size);
        forget_wrong_group(&communicator->remote_group, communicator->remote_size);
    }
}

void settle_processes(struct job *job)
{
    job_sort_processes(job);
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        check_groups(process);
        if (process->size > job->size)
            job->size = process->size;
        if (job->mpi == NULL)
            job->mpi = short_library_version(process->library_version);
    }
}

void complete_job(const struct dll *dll, struct job *job, enum collect_depth depth)
{
    settle_processes(job);
    job->samples = 1;
    job->interval_s = -1;
    if (depth >= COLLECT_SAMPLE) {
        for (size_t i = 0; i < job->process_count; i++)
            process_make_index(&job->processes[i]);
        infer_unexpected(dll, job);
    }
    if (depth == COLLECT_ALL)
        job_resolve_sites(job);
}
