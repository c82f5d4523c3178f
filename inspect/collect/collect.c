/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads one process: setting up, the process itself, its threads, and why it cannot be read.
 */

#include "base/base.h"
#include "collect/collect_internal.h"
#include "launch/launch.h"
#include "stack/stack.h"
#include "target/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A running process may change its state faster than it can be read; then another moment is better. */
enum { ATTEMPTS = 50, MOST_EXIT_STATUS = 256 };
static const struct timespec between_attempts = {.tv_nsec = 1000000};

static bool has_static_mpi(const struct target *target)
{
    char program[64];
    snprintf(program, sizeof program, "/proc/%ld/exe", (long)target_pid(target));
    return target_is_live(target) && has_mpi_inside(program);
}

/* Whether it has MPI in it, and no runtime that tells what it does. */
static bool is_without_tables(int code, struct target *target)
{
    return (code == MPILENS_ERROR_RUNTIME_NOT_LOADED || code == MPILENS_ERROR_NOT_INITIALIZED) &&
           target_has_mpi(target);
}

/* Whether this user may not look into it, not even at its files. */
static bool is_forbidden(const struct target *target)
{
    char *root = target_is_live(target) ? read_process_link("/proc", target_pid(target), "root") : NULL;
    const bool is_refused = target_is_live(target) && root == NULL && errno == EACCES;
    free(root);
    return is_refused;
}

/* " (sleep)", or nothing where it is not known. */
static void name_program(const struct target *target, char *ret_name, size_t bytes)
{
    struct process_status status;
    ret_name[0] = '\0';
    if (target_is_live(target) && read_process_status("/proc", target_pid(target), &status))
        snprintf(ret_name, bytes, " (%s)", status.name);
}

/* `is_of_mpi`: it has MPI, and no tables. */
static int explain(const struct dll *dll, int code, bool is_of_mpi, struct target *target, struct reason *ret_reason)
{
    char subject[128], program[80];
    const char *core = target_core_path(target);
    snprintf(subject, sizeof subject,
             core != NULL             ? "the core"
             : target_is_live(target) ? "process %ld"
                                      : "the memory of process %ld",
             (long)target_pid(target));
    if (target_is_live(target) && process_has_ended("/proc", target_pid(target)))
        return reason_set(ret_reason, "%s has ended", subject);
    switch (target_read_error(target)) {
    case ESRCH:
        return reason_set(ret_reason, "%s went away while it was read", subject);
    case EPERM:
        return reason_set(ret_reason, "%s must not be read: %s", subject, read_permission_advice());
    }
    switch (code) {
    case MPILENS_ERROR_RUNTIME_NOT_LOADED:
        if (is_forbidden(target))
            return reason_set(ret_reason, "%s must not be read: %s", subject, read_permission_advice());
        if (target_find_runtime(target) != NULL)
            return reason_set(ret_reason,
                              "%s: the file of the runtime, %s, is not the one that was loaded: put that back", subject,
                              target_find_runtime(target));
        /* alike in all ranks of a job, which are told together */
        if (is_of_mpi)
            return reason_set(ret_reason, "it runs without the mpilens runtime, so only its call stacks can be read: "
                                          "start the job with 'mpiexec -n 4 mpilens run ./app'");
        name_program(target, program, sizeof program);
        return reason_set(ret_reason, "%s%s has nothing to do with MPI: no MPI library is loaded in it", subject,
                          program);
    case MPILENS_ERROR_NO_MEMORY:
        if (debugger_exceeded_budget())
            return reason_set(ret_reason,
                              "%s: what its runtime has written down makes no sense, it takes more memory "
                              "than the process has",
                              subject);
        break;
    case MPILENS_ERROR_NOT_INITIALIZED:
        if (target_has_lost_box(target))
            return reason_set(ret_reason,
                              "%s lacks the state of mpilens, which was in a black box that is gone: to keep it in "
                              "core files, start the job with 'mpilens run --no-keep'",
                              subject);
        if (has_static_mpi(target))
            return reason_set(ret_reason,
                              "%s has a static MPI library inside, whose calls the runtime does not see: link the "
                              "program dynamically (without -static-mpi), or link libmpilens-*.a into it",
                              subject);
        return reason_set(ret_reason, "%s has not called MPI yet", subject);
    }
    const char *text = dll->mqs_dll_error_string(code);
    return reason_set(ret_reason, "%s: %s", subject, text != NULL ? text : "unknown error");
}

/* Whether more of the process is read than its root. */
static bool reads_tables(const struct collect_plan *plan)
{
    return plan->depth > COLLECT_PROCESS || plan->more != NULL;
}

/* Reads nothing of a process that is only identified. */
static int attach(const struct dll *dll, mqs_process *handle, bool is_copied)
{
    char *message = NULL;
    dll_keep_apart(dll);
    int code = dll->mqs_setup_image(&handle->image, &debugger_image_callbacks);
    if (code == mqs_ok)
        code = dll->mqs_image_has_queues(&handle->image, &message);
    if (code == mqs_ok)
        code = dll->mqs_setup_process(handle, &debugger_process_callbacks);
    return code == mqs_ok && is_copied ? dll->mqs_process_has_queues(handle, &message) : code;
}

static void detach(const struct dll *dll, mqs_process *handle)
{
    if (handle->information != NULL)
        dll->mqs_destroy_process_info(handle->information);
    if (handle->image.information != NULL)
        dll->mqs_destroy_image_info(handle->image.information);
}

static int take_copy(const struct dll *dll, mqs_process *handle)
{
    int code = dll->mqs_update_communicator_list(handle);
    const bool changing = target_is_live(handle->target);
    for (int i = 1; i < ATTEMPTS && changing && (code == MPILENS_ERROR_INCONSISTENT || code == MPILENS_ERROR_CORRUPT);
         i++) {
        nanosleep(&between_attempts, NULL);
        code = dll->mqs_update_communicator_list(handle);
    }
    return code;
}

static enum process_state model_state(uint32_t state)
{
    switch (state) {
    case MPILENS_PROCESS_INITIALIZING:
        return PROCESS_INITIALIZING;
    case MPILENS_PROCESS_RUNNING:
        return PROCESS_RUNNING;
    case MPILENS_PROCESS_FINALIZING:
    case MPILENS_PROCESS_ABORTING:
        return PROCESS_FINALIZING;
    case MPILENS_PROCESS_FINALIZED:
        return PROCESS_FINALIZED;
    default:
        return PROCESS_UNREADABLE;
    }
}

static void take_process(const struct collection *collection, const struct mpilens_process_information *information,
                         struct process *process)
{
    process->rank = information->world_rank;
    process->size = information->world_size <= MOST_RANKS ? information->world_size : -1;
    process->state = model_state(information->state);
    process->thread_level = information->thread_level;
    process->untracked_operations = information->untracked_operations;
    process->untracked_objects = information->untracked_objects;
    process->memory_bytes = information->memory_bytes;
    process->torn_records = information->torn_records;
    process->buffer = information->buffer;
    process->buffer_bytes = information->buffer_bytes;
    process->library_version = text_pool_add(collection->names, information->library_version);
    process->runtime_version = text_pool_add(collection->names, information->runtime_version);
    process->job_identity = text_pool_add(collection->names, information->job_identity);
    process->synchronous_sends = information->synchronous_sends != 0;
    process->exit_status = information->exit_status <= MOST_EXIT_STATUS ? information->exit_status : 0;
    process->box_state = information->box_state <= MPILENS_BOX_FAILED ? (enum mpilens_box_state)information->box_state
                                                                      : MPILENS_BOX_NONE;
    process->box_error = information->box_error;
    process->senders_in_turn = information->senders_in_turn != 0;
    process->unexpected_mode = information->unexpected_mode <= MPILENS_UNEXPECTED_NO_SYSTEM
                                   ? information->unexpected_mode
                                   : MPILENS_UNEXPECTED_INFERRED;
    process->unexpected_as_of_s = -1;
}

static struct tick_clock read_clock(const struct collection *collection, struct tick_moment *moment)
{
    struct tick_moment now = tick_moment_now();
    const struct target *target = collection->target;
    struct mpilens_clock_information clock = {.struct_size = sizeof clock};
    if (target_snapshot_clock(target) != NULL)
        return *target_snapshot_clock(target);
    if (collection->dll->mpilens_get_clock(collection->handle, &clock) != mqs_ok)
        return (struct tick_clock){0};
    return target_core_path(target) != NULL ? tick_clock_ended(&clock, target_core_time(target))
                                            : tick_clock_live(&clock, moment != NULL ? moment : &now);
}

static double seconds_of(struct timespec time)
{
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* When that clock ends, by the time of day. */
static double find_ages_end(const struct target *target, const struct tick_moment *moment)
{
    struct timespec now, since_boot;
    if (target_snapshot_clock(target) != NULL)
        return 0;
    if (target_core_path(target) != NULL)
        return seconds_of(target_core_time(target));
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_MONOTONIC, &since_boot);
    return seconds_of(now) - (moment != NULL ? seconds_of(since_boot) - (double)moment->ns / 1e9 : 0);
}

static int collect_contents(struct collection *collection, const struct collect_plan *plan, struct process *process)
{
    process->ages_end_s = find_ages_end(collection->target, plan->moment);
    collection->clock = read_clock(collection, plan->moment);
    int code = collect_threads(collection, process);
    if (code == mqs_ok)
        code = collect_failed_calls(collection, process);
    if (code == mqs_ok)
        code = collect_freed_objects(collection, process);
    if (code == mqs_ok)
        code = collect_communicators(collection, process);
    if (code == mqs_ok)
        code = collect_requests(collection, process);
    return code == mqs_ok ? collect_objects(collection, process) : code;
}

/* After fork() a child has a copy of its parent's state, which is not its own. */
static bool is_copy_of_parent(const struct target *target, const struct mpilens_process_information *information)
{
    return target_is_live(target) && information->pid != 0 &&
           !process_has_pid(target_pid(target), (pid_t)information->pid);
}

/* Reads the identity of the process: from a copy taken for it, or without one. */
static int identify(const struct dll *dll, mqs_process *handle, const struct collect_plan *plan,
                    struct mpilens_process_information *ret_information)
{
    *ret_information = (struct mpilens_process_information){.struct_size = sizeof *ret_information};
    int code = reads_tables(plan) ? take_copy(dll, handle) : mqs_ok;
    if (code == mqs_ok)
        code = reads_tables(plan) ? dll->mpilens_get_process(handle, ret_information)
                                  : dll->mpilens_identify_process(handle, ret_information);
    return code == mqs_ok && ret_information->state == MPILENS_PROCESS_UNUSED ? MPILENS_ERROR_NOT_INITIALIZED : code;
}

/* Memory of processes beyond their own budgets comes from the job's budget, so that many corrupt processes are also
 * bounded. */
static void set_budget(size_t budget, const struct job *job)
{
    const size_t more = MEMORY_BUDGET_OF_JOB - job->memory_taken;
    debugger_set_budget(budget < SIZE_MAX - more ? budget + more : SIZE_MAX);
}

static void note_budget(size_t budget, struct job *job)
{
    const size_t used = debugger_used_of_budget();
    if (used > budget)
        job->memory_taken += used - budget < MEMORY_BUDGET_OF_JOB - job->memory_taken
                                 ? used - budget
                                 : MEMORY_BUDGET_OF_JOB - job->memory_taken;
}

int collect_process(const struct dll *dll, struct target *target, const struct collect_plan *plan, struct job *job,
                    struct process *process, struct reason *ret_reason)
{
    struct mqs_process_ handle = {.target = target, .image.target = target};
    struct collection collection = {.dll = dll,
                                    .handle = &handle,
                                    .target = target,
                                    .names = &job->names,
                                    .groups = &job->groups,
                                    .details = &job->details};
    struct process copy = *process;
    struct mpilens_process_information information;
    int result = 0;
    if (plan->is_recorded)
        target_record(target);
    const size_t budget = memory_budget(target);
    struct python_stacks before = {.thread_count = 0}, after = {.thread_count = 0};
    const bool has_python = plan->depth > COLLECT_PROCESS && python_stacks_read(target, &before);
    set_budget(budget, job);
    int code = attach(dll, &handle, reads_tables(plan));
    if (code == mqs_ok)
        code = identify(dll, &handle, plan, &information);
    if (code == mqs_ok && is_copy_of_parent(target, &information))
        result = reason_set(ret_reason, "process %ld is a fork of MPI process %lu and has not called MPI itself",
                            (long)target_pid(target), (unsigned long)information.pid);
    else if (code == mqs_ok)
        take_process(&collection, &information, &copy);
    copy.has_ended = target_has_ended(target);
    copy.is_identified_only = !reads_tables(plan);
    if (code == mqs_ok && result == 0 && plan->depth > COLLECT_PROCESS)
        code = collect_contents(&collection, plan, &copy);
    if (code == mqs_ok && result == 0 && plan->depth > COLLECT_PROCESS && information.unexpected_as_of != 0)
        copy.unexpected_as_of_s = tick_clock_age(&collection.clock, information.unexpected_as_of);
    if (code == mqs_ok && result == 0 && has_python && python_stacks_read(target, &after))
        collect_python(job, &before, &after, &copy);
    arena_clear(&before.texts.arena);
    arena_clear(&after.texts.arena);
    if (code == mqs_ok && result == 0 && plan->more != NULL)
        plan->more(&collection, &copy, plan->context);
    detach(dll, &handle);
    note_budget(budget, job);
    if (code != mqs_ok) {
        process->is_before_mpi = code == MPILENS_ERROR_NOT_INITIALIZED && !has_static_mpi(target);
        process->lacks_tables = is_without_tables(code, target);
        result = explain(dll, code, process->lacks_tables, target, ret_reason);
        process_clear_contents(&copy);
    } else if (result == 0) {
        *process = copy;
    }
    return result;
}
