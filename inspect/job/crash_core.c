/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the core files of processes that have crashed.
 */
#include "job/job.h"

#include "base/base.h"
#include "text/text.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_ASKED = 256,          /* of a job, processes whose files are looked for */
    MOST_ASKED_OF_SYSTEMD = 2, /* which writes a whole core for each answer */
    MOST_FOUND = 16
};
static const struct timespec pause_of_try = {.tv_nsec = 250L * 1000 * 1000};

/* A pid is given again and again. */
static bool is_of_program(const struct crash_core *core, const struct crash_query *query)
{
    const char *executable = target_executable(core->target);
    return query->executable == NULL || executable == NULL || strcmp(executable, query->executable) == 0;
}

static bool open_file(const char *path, const struct crash_query *query, struct crash_core *ret_core)
{
    struct crash_core core = {.target = NULL};
    struct reason reason;
    if (target_open_core(path, &core.target, &reason) != 0)
        return false;
    const bool is_it = target_pid(core.target) == query->pid && target_find_crash(core.target, &core.crash) &&
                       (query->signal == 0 || core.crash.signal == query->signal) && is_of_program(&core, query);
    if (is_it)
        *ret_core = core;
    else
        target_close(core.target);
    return is_it;
}

/* 0, or -1. */
static int run_coredumpctl(const struct crash_query *query, const char *path)
{
    char output[PATH_MAX], pid[32], begin[48];
    snprintf(output, sizeof output, "--output=%s", path);
    snprintf(pid, sizeof pid, "%ld", (long)query->pid);
    snprintf(begin, sizeof begin, "--since=@%lld", (long long)query->since);
    char *const arguments[] = {"coredumpctl", "--quiet", output, "dump", pid, begin, NULL};
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&files);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        posix_spawn_file_actions_addopen(&files, file, "/dev/null", file == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    const int error = posix_spawnp(&child, arguments[0], &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    return error == 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : -1;
}

static bool ask_systemd(const struct crash_query *query, struct crash_core *ret_core)
{
    char directory[] = "/tmp/mpilens-core-XXXXXX", path[sizeof directory + 8];
    bool is_found = false;
    if (mkdtemp(directory) == NULL)
        return false;
    snprintf(path, sizeof path, "%s/core", directory);
    for (int i = 0; i < query->tries_of_systemd && !is_found; i++) {
        if (i > 0)
            nanosleep(&pause_of_try, NULL);
        is_found = run_coredumpctl(query, path) == 0 && open_file(path, query, ret_core);
    }
    unlink(path); /* it stays open */
    rmdir(directory);
    if (is_found)
        ret_core->how = format_text("coredumpctl debug %ld", (long)query->pid);
    return is_found;
}

bool crash_core_find(const struct crash_query *query, struct crash_core *ret_core)
{
    bool is_found = false;
    struct core_files files = core_files_find(query->directory, query->pid, query->since);
    for (size_t i = 0; i < files.count && !is_found; i++) {
        is_found = open_file(files.paths[i], query, ret_core);
        if (is_found)
            ret_core->how = format_text("mpilens show --stack %s", files.paths[i]);
    }
    return is_found || (query->tries_of_systemd > 0 && core_files_are_of_systemd() && ask_systemd(query, ret_core));
}

void crash_core_clear(struct crash_core *core)
{
    target_close(core->target);
    free(core->how);
}

static bool is_from(const struct process *process, const char *host)
{
    return process->host == NULL || is_same_host(process->host, host);
}

/* Its black box says neither that it has ended itself, nor that it was done. */
static bool may_have_crashed(const struct process *process, const char *host)
{
    return process->reason == NULL && process->has_ended && process->exit_status == 0 &&
           process->state != PROCESS_FINALIZED && process->pid > 0 && is_from(process, host);
}

/* Where the process ran is not known: here, or where its program is. */
static bool find_here(struct crash_query query, struct crash_core *ret_core)
{
    char here[PATH_MAX];
    query.directory = getcwd(here, sizeof here);
    if (crash_core_find(&query, ret_core))
        return true;
    const char *end = query.executable != NULL ? strrchr(query.executable, '/') : NULL;
    if (end == NULL || end - query.executable >= (ptrdiff_t)sizeof here)
        return false;
    snprintf(here, sizeof here, "%.*s", (int)(end - query.executable), query.executable);
    query.directory = here;
    query.tries_of_systemd = 0;
    return crash_core_find(&query, ret_core);
}

void job_find_crash_cores(struct job *job, time_t since)
{
    size_t asked = 0, found = 0;
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        return;
    for (size_t i = 0; i < job->process_count && asked < MOST_ASKED && found < MOST_FOUND; i++) {
        struct process *process = &job->processes[i];
        if (!may_have_crashed(process, host))
            continue;
        const struct crash_query query = {

            .executable = process->executable,
            .pid = process->pid,
            .since = since,
            .tries_of_systemd = asked++ < MOST_ASKED_OF_SYSTEMD ? 1 : 0};
        struct crash_core core;
        if (!find_here(query, &core))
            continue;
        process->crash_target = core.target;
        process->crash_how = core.how;
        found++;
    }
}
