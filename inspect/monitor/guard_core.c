/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the core file of a rank that has crashed.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "job/job.h"
#include "text/text.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* systemd-coredump compresses large ones first. */
enum { TRIES = 40 };
static const struct timespec pause_of_try = {.tv_nsec = 250L * 1000 * 1000};

static bool is_by_default(int number)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGQUIT, SIGTRAP, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

bool guard_core_is_due(const struct guard_death *death)
{
    return death->is_known && WIFSIGNALED(death->status) && is_by_default(WTERMSIG(death->status));
}

static bool read_file(const struct dll *dll, const char *path, const struct guard_death *death,
                      struct guard_core *ret_core)
{
    char *target = copy_text(path);
    struct reason reason;
    struct guard_core core;
    const struct job_request request = {.targets = &target, .target_count = 1, .plan.depth = COLLECT_ALL};
    const bool is_read =
        sample_job(dll, &request, &(struct sample_plan){.samples = 1}, &core.job, &reason) == EXIT_GOOD;
    free(target);
    if (!is_read)
        return false;
    for (size_t i = 0; i < core.job.process_count; i++) {
        core.process = &core.job.processes[i];
        if (core.process->pid == death->pid && process_find_crash(core.process, &core.crash) &&
            (!death->is_known || core.crash.signal == WTERMSIG(death->status))) {
            core.path = copy_text(path);
            *ret_core = core;
            return true;
        }
    }
    job_clear(&core.job);
    return false;
}

/* 0, or -1. */
static int run_coredumpctl(pid_t crashed, const char *path)
{
    char output[PATH_MAX], pid[32];
    snprintf(output, sizeof output, "--output=%s", path);
    snprintf(pid, sizeof pid, "%ld", (long)crashed);
    char *const arguments[] = {"coredumpctl", "--quiet", output, "dump", pid, NULL};
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

static bool read_of_systemd(const struct dll *dll, const struct guard_death *death, struct guard_core *ret_core)
{
    char directory[] = "/tmp/mpilens-core-XXXXXX", path[sizeof directory + 8];
    bool is_read = false;
    if (mkdtemp(directory) == NULL)
        return false;
    snprintf(path, sizeof path, "%s/core", directory);
    for (int i = 0; i < TRIES && !is_read; i++) {
        if (i > 0)
            nanosleep(&pause_of_try, NULL);
        is_read = run_coredumpctl(death->pid, path) == 0 && read_file(dll, path, death, ret_core);
    }
    unlink(path); /* it stays open */
    rmdir(directory);
    return is_read;
}

bool guard_core_read(const struct dll *dll, const struct guard_death *death, time_t since, struct guard_core *ret_core)
{
    bool is_read = false;
    if (death->is_known && !WIFSIGNALED(death->status))
        return false;
    struct core_files files = core_files_find(death->directory, death->pid, since);
    for (size_t i = 0; i < files.count && !is_read; i++)
        is_read = read_file(dll, files.paths[i], death, ret_core);
    core_files_clear(&files);
    if (is_read)
        ret_core->how = arena_text("mpilens show --stack %s", ret_core->path);
    if (!is_read && core_files_are_of_systemd() && guard_core_is_due(death) && WCOREDUMP(death->status)) {
        is_read = read_of_systemd(dll, death, ret_core);
        if (is_read)
            ret_core->how = arena_text("coredumpctl debug %ld", (long)death->pid);
    }
    return is_read;
}

void guard_core_clear(struct guard_core *core)
{
    free(core->path);
    job_clear(&core->job);
}
