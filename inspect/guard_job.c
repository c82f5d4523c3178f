/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes that a command has started.
 */
#include "guard_job.h"

#include "allocation.h"
#include "exit_status.h"
#include "process_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
/* After they were killed, processes that hang in the system are not waited for longer. */
static const double last_patience_s = 5;
/* A chain of parents longer than this is a damaged /proc. */
enum { MOST_ANCESTORS = 1000 };
static const char mark_variable[] = "MPILENS_GUARD";

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Pids come again. */
static int set_mark(struct guard_job *job)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    snprintf(job->mark, sizeof job->mark, "%ld-%lld.%09ld", (long)getpid(), (long long)time.tv_sec, time.tv_nsec);
    return setenv(mark_variable, job->mark, 1);
}

int guard_job_start(const char *path, char **command, struct guard_job *ret_job, struct reason *ret_reason)
{
    struct guard_job job = {.launcher = 0};
    sigset_t before;
    sigemptyset(&job.awaited);
    sigaddset(&job.awaited, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        sigaddset(&job.awaited, passed_on[i]);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        return reason_set(ret_reason, "the processes of the job cannot be adopted: %s", strerror(errno));
    if (set_mark(&job) != 0)
        return reason_set(ret_reason, "the job cannot be marked: %s", strerror(errno));
    signal(SIGCHLD, SIG_DFL); /* ignored, children would leave no status */
    sigprocmask(SIG_BLOCK, &job.awaited, &before);
    job.launcher = fork();
    if (job.launcher == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(path, command); /* also gives a file without a format to the shell */
        fprintf(stderr, "mpilens guard: %s: %s\n", path, strerror(errno));
        _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
    }
    if (job.launcher < 0) {
        const int error = errno;
        sigprocmask(SIG_SETMASK, &before, NULL);
        return reason_set(ret_reason, "%s cannot be started: %s", path, strerror(error));
    }
    *ret_job = job;
    return 0;
}

static void reap(struct guard_job *job)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        if (pid == job->launcher) {
            job->has_ended = true;
            job->status = status;
        }
}

/* Until a signal comes, at most so long. */
static void wait_once(struct guard_job *job, double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    siginfo_t signal;
    const int number = sigtimedwait(&job->awaited, &signal, &time);
    reap(job);
    if (number > 0 && number != SIGCHLD && signal.si_code != SI_KERNEL && !job->has_ended)
        kill(job->launcher, number);
}

void guard_job_wait(struct guard_job *job, double seconds)
{
    const double end = now() + seconds;
    reap(job);
    for (double left = seconds; left > 0 && !job->has_ended; left = end - now())
        wait_once(job, left);
}

static bool is_below(pid_t pid)
{
    struct process_status status;
    const pid_t self = getpid();
    for (int i = 0; i < MOST_ANCESTORS && pid > 1; i++) {
        if (!read_process_status("/proc", pid, &status))
            return false;
        pid = status.parent;
        if (pid == self)
            return true;
    }
    return false;
}

static bool has_mark(const struct guard_job *job, pid_t pid)
{
    size_t bytes;
    char *environment = read_process_file("/proc", pid, "environ", &bytes);
    const char *mark = environment != NULL ? find_variable(environment, bytes, mark_variable) : NULL;
    const bool result = mark != NULL && strcmp(mark, job->mark) == 0;
    free(environment);
    return result;
}

bool guard_job_has(const struct guard_job *job, pid_t pid)
{
    return is_below(pid) || has_mark(job, pid);
}

/* Sends it to all processes of the job; 0: to none. Returns how many there are. */
static size_t signal_all(const struct guard_job *job, int number)
{
    size_t count = 0;
    DIR *directory = opendir("/proc");
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const pid_t pid = (pid_t)atol(entry->d_name);
        if (pid <= 0 || pid == getpid() || !guard_job_has(job, pid))
            continue;
        count++;
        if (number != 0)
            kill(pid, number);
    }
    if (directory != NULL)
        closedir(directory);
    return count;
}

static void wait_until_gone(struct guard_job *job, int number, double seconds)
{
    static const double step_s = 0.1;
    const double end = now() + seconds;
    reap(job);
    while (signal_all(job, number) > 0 && now() < end)
        wait_once(job, step_s);
}

void guard_job_end(struct guard_job *job, double patience_s)
{
    if (!job->has_ended)
        kill(job->launcher, SIGTERM);
    wait_until_gone(job, 0, patience_s);
    wait_until_gone(job, SIGKILL, last_patience_s);
}
