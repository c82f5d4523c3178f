/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the MPI jobs of this host in /proc.
 */
#include "discover/discover.h"

#include "base/base.h"
#include "launch/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Open MPI and whatever else knows PMIx has a name for every world. */
static const char *find_world(const char *environment, size_t bytes, pid_t nearest_launcher)
{
    const char *world = find_variable(environment, bytes, "PMIX_NAMESPACE");
    if (world == NULL)
        world = find_variable(environment, bytes, "OMPI_MCA_ess_base_jobid");
    if (world != NULL)
        return arena_copy(world);
    if (find_variable(environment, bytes, "PMI_SPAWNED") != NULL)
        return arena_text("%ld", (long)nearest_launcher); /* which is a proxy of its own */
    return NULL;
}

static void look_at_environment(const char *proc, pid_t nearest_launcher, struct found_rank *rank)
{
    size_t bytes;
    char *environment = read_process_file(proc, rank->pid, "environ", &bytes);
    rank->rank = -1;
    rank->size = -1;
    if (environment == NULL)
        return;
    const struct launcher_numbers numbers = launcher_numbers_of(environment, bytes, rank->has_mpi);
    rank->rank = numbers.rank;
    rank->size = numbers.size;
    rank->world = find_world(environment, bytes, nearest_launcher);
    rank->is_spawned = find_variable(environment, bytes, "PMI_SPAWNED") != NULL ||
                       find_variable(environment, bytes, "OMPI_PARENT_PORT") != NULL;
    free(environment);
}

/* Only what is mapped to be run counts: debuggers map libraries, too, to read them. */
static void look_at_mapping(void *context, const struct mapping *mapping)
{
    struct found_rank *rank = context;
    const char *file = strrchr(mapping->name, '/');
    if (strchr(mapping->permissions, 'x') == NULL || file == NULL || strncmp(file, "/libmpi", strlen("/libmpi")) != 0 ||
        strstr(file, ".so") == NULL)
        return;
    const bool is_ours = strncmp(file, "/libmpilens", strlen("/libmpilens")) == 0;
    if (!is_ours)
        rank->has_mpi = true;
    else if (file[strlen("/libmpilens")] == '-') /* else the DLL, in a process that reads others */
        rank->has_runtime = true;
}

/* A program with the runtime in it shows no library of that name, and one with all of MPI in it not even that. */
static void look_at_program(const char *proc, struct found_rank *rank)
{
    if (rank->has_runtime || (!rank->has_mpi && rank->rank < 0))
        return;
    char *path = format_text("%s/%ld/exe", proc, (long)rank->pid);
    blocked_read_begin(rank->pid); /* its file system may be any */
    rank->has_runtime = has_linked_runtime(path);
    rank->has_mpi = rank->has_mpi || rank->has_runtime || has_mpi_inside(path);
    blocked_read_end();
    free(path);
}

bool still_has_runtime(const char *proc, const struct found_rank *rank)
{
    struct found_rank now = {.pid = rank->pid, .rank = rank->rank};
    process_maps_visit(proc, rank->pid, look_at_mapping, &now);
    look_at_program(proc, &now);
    return now.has_runtime;
}

/* The nearest launcher above, and from there up as long as launchers stand directly above each other. While the table
 * was read, processes may have ended and their numbers been given again: a chain is no longer than the table. */
static pid_t find_launcher(const struct process_table *table, pid_t parent, pid_t *ret_nearest)
{
    const struct process_status *status = process_table_find(table, parent);
    pid_t launcher = 0;
    *ret_nearest = 0;
    for (size_t i = 0; i < table->count && status != NULL && status->pid > 1; i++) {
        if (!is_launcher(status->name) && launcher != 0)
            break;
        if (is_launcher(status->name)) {
            *ret_nearest = launcher == 0 ? status->pid : *ret_nearest;
            launcher = status->pid;
        }
        status = process_table_find(table, status->parent);
    }
    return launcher;
}

char *name_local_world(const char *proc, pid_t pid)
{
    struct process_table table = process_table_read_above(proc, pid);
    const struct process_status *status = process_table_find(&table, pid);
    pid_t nearest = 0;
    size_t bytes;
    if (status != NULL)
        find_launcher(&table, status->parent, &nearest);
    char *environment = nearest != 0 ? read_process_file(proc, pid, "environ", &bytes) : NULL;
    if (environment == NULL)
        return NULL;
    const char *world = find_world(environment, bytes, nearest);
    char *name =
        format_text("%ld-%llu-%s", (long)nearest, process_start(proc, nearest), world != NULL ? world : "world");
    free(environment);
    return name;
}

/* One of the processes with the same number in the same job is the rank: the one with MPI in it and, of several
 * (children of fork), the one above the others; others are wrapper scripts and helpers. */
static bool is_better(const struct process_table *table, const struct found_rank *left, const struct found_rank *right)
{
    if (left->has_mpi != right->has_mpi)
        return left->has_mpi;
    return process_table_has_ancestor(table, left->pid, right->pid);
}

static void add_rank(struct found_jobs *jobs, const struct found_rank *rank)
{
    struct found_job *job = NULL;
    for (size_t i = 0; i < jobs->count && job == NULL; i++)
        if (is_same_world(&jobs->items[i].ranks[0], rank))
            job = &jobs->items[i];
    if (job == NULL) {
        jobs->items = arena_append(jobs->items, &jobs->count, sizeof *jobs->items);
        job = &jobs->items[jobs->count - 1];
        job->launcher_pid = rank->launcher_pid;
        const struct process_status *launcher = process_table_find(&jobs->processes, rank->launcher_pid);
        if (launcher != NULL)
            job->launcher = arena_copy(launcher->name);
    }
    for (size_t i = 0; i < job->rank_count; i++) {
        if (rank->rank < 0 || job->ranks[i].rank != rank->rank)
            continue;
        if (is_better(&jobs->processes, rank, &job->ranks[i]))
            job->ranks[i] = *rank;
        return;
    }
    job->ranks = arena_append(job->ranks, &job->rank_count, sizeof *job->ranks);
    job->ranks[job->rank_count - 1] = *rank;
}

static void add_without_mpi(struct found_jobs *jobs, const struct found_rank *rank)
{
    jobs->without_mpi = arena_append(jobs->without_mpi, &jobs->without_mpi_count, sizeof *jobs->without_mpi);
    jobs->without_mpi[jobs->without_mpi_count - 1] = *rank;
}

/* False: it belongs to no job. Children of launchers are about to be read. */
static bool look_into_process(const char *proc, pid_t nearest_launcher, struct found_rank *rank)
{
    if (nearest_launcher != 0 && strcmp(proc, "/proc") == 0)
        kept_maps_visit(rank->pid, look_at_mapping, rank);
    else
        process_maps_visit(proc, rank->pid, look_at_mapping, rank);
    look_at_environment(proc, nearest_launcher, rank);
    look_at_program(proc, rank);
    /* A shell with the preload in its environment also has a runtime. */
    const bool is_of_job = rank->has_mpi ? rank->has_runtime || rank->rank >= 0
                                         : (rank->has_runtime || rank->rank >= 0) && rank->launcher_pid != 0;
    if (is_of_job)
        rank->executable = arena_take(read_process_link(proc, rank->pid, "exe"));
    return is_of_job;
}

/* Other directories than /proc change faster, and what has no MPI so far may have it soon. */
static bool look_at_process_anew(const char *proc, const struct process_status *status, pid_t nearest_launcher,
                                 struct found_rank *rank)
{
    const double now_s = monotonic_s();
    const bool is_of_job = look_into_process(proc, nearest_launcher, rank);
    if (strcmp(proc, "/proc") == 0 && (!is_of_job || rank->has_mpi))
        looked_at_note(status, is_of_job ? rank : NULL, now_s);
    return is_of_job;
}

static bool recall_process(const char *proc, const struct process_status *status, struct found_rank *rank)
{
    struct found_rank recalled;
    if (strcmp(proc, "/proc") != 0 || !looked_at_find(status, monotonic_s(), &recalled))
        return false;
    recalled.state = rank->state;
    recalled.launcher_pid = rank->launcher_pid;
    *rank = recalled;
    return true;
}

static void look_at_process(struct found_jobs *jobs, const char *proc, const struct process_status *status)
{
    pid_t nearest;
    struct found_rank rank = {.pid = status->pid, .state = status->state};
    rank.launcher_pid = find_launcher(&jobs->processes, status->parent, &nearest);
    const bool is_of_job =
        recall_process(proc, status, &rank) ? rank.pid != 0 : look_at_process_anew(proc, status, nearest, &rank);
    if (!is_of_job)
        return;
    if (rank.has_mpi || rank.has_runtime)
        add_rank(jobs, &rank);
    else
        add_without_mpi(jobs, &rank);
}

static bool is_of_user(const struct process_status *status, uid_t user)
{
    return user == ANY_USER || status->user == user;
}

/* Reads ahead the maps of the processes that launchers have started. */
static struct maps_ahead *begin_maps(const char *proc, const struct process_table *table, uid_t user)
{
    pid_t *pids = allocate((table->count + 1) * sizeof *pids), nearest;
    size_t count = 0;
    for (size_t i = 0; i < table->count && strcmp(proc, "/proc") == 0; i++) {
        const struct process_status *status = &table->items[i];
        if (is_of_user(status, user) && !is_launcher(status->name) &&
            find_launcher(table, status->parent, &nearest) != 0 && !looked_at_has(status, monotonic_s()))
            pids[count++] = status->pid;
    }
    struct maps_ahead *ahead = maps_ahead_begin(pids, count);
    free(pids);
    return ahead;
}

/* Not one that is ending, nor the daemon of a host on which its ranks have. */
static bool may_have_ranks(const struct process_table *table, const struct process_status *launcher)
{
    if (launcher->is_ending || !is_host_daemon(launcher->name))
        return !launcher->is_ending;
    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].parent == launcher->pid && !table->items[i].is_ending)
            return true;
    return false;
}

struct found_jobs discover_jobs(const char *proc, uid_t user)
{
    struct found_jobs jobs = {.processes = process_table_read(proc)};
    struct maps_ahead *ahead = begin_maps(proc, &jobs.processes, user);
    for (size_t i = 0; i < jobs.processes.count; i++) {
        const struct process_status *status = &jobs.processes.items[i];
        pid_t nearest;
        if (!is_of_user(status, user) || status->is_ending)
            continue;
        if (!is_launcher(status->name))
            look_at_process(&jobs, proc, status);
        else if (jobs.launcher == 0 && find_launcher(&jobs.processes, status->parent, &nearest) == 0 &&
                 may_have_ranks(&jobs.processes, status))
            jobs.launcher = status->pid;
    }
    maps_ahead_end(ahead);
    found_jobs_finish(&jobs);
    launched_beside_find(proc, &jobs);
    return jobs;
}

static bool runs_below(const struct found_jobs *jobs, const struct found_job *job, pid_t pid)
{
    for (size_t i = 0; i < job->rank_count; i++)
        if (process_table_has_ancestor(&jobs->processes, pid, job->ranks[i].pid))
            return true;
    return false;
}

const struct found_job *find_job_of(const struct found_jobs *jobs, pid_t pid)
{
    if (pid <= 0) /* which is also the launcher of a job that has lost its own */
        return NULL;
    for (size_t i = 0; i < jobs->count; i++)
        for (size_t j = 0; j < jobs->items[i].rank_count; j++)
            if (jobs->items[i].ranks[j].pid == pid)
                return &jobs->items[i];
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->items[i].launcher_pid == pid)
            return &jobs->items[i];
    const struct process_status *status = process_table_find(&jobs->processes, pid);
    const bool launches = status != NULL && is_launcher(status->name);
    const struct found_job *found = NULL;
    for (size_t i = 0; i < jobs->count; i++) {
        if (!runs_below(jobs, &jobs->items[i], pid))
            continue;
        if (found != NULL)
            return launches ? found : NULL;
        found = &jobs->items[i];
    }
    return found;
}
